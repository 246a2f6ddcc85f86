//! The built package: its wasm files, and running a module of them with all that it depends on.

use std::path::Path;

use anyhow::{Context, Result};

use crate::schema::{Binary, Module};
use crate::wasm::{Output, Wasm};

/// The wasm files of the package that were asked for.
pub struct Package {
    binaries: Vec<(Binary, Wasm)>,
}

impl Package {
    /// Reads and compiles from `folder` the files that `module` and those before it need.
    ///
    /// # Errors
    ///
    /// When one cannot be read, is no wasm, or imports what an engine does not offer.
    pub fn load(folder: &Path, module: Module) -> Result<Self> {
        Self::load_each(folder, module, Wasm::load)
    }

    /// As [`Package::load`], and counts the operations of calls, which makes them slower.
    ///
    /// # Errors
    ///
    /// Those of [`Package::load`].
    pub fn load_counting(folder: &Path, module: Module) -> Result<Self> {
        Self::load_each(folder, module, Wasm::load_counting)
    }

    fn load_each(folder: &Path, module: Module, load: fn(&Path) -> Result<Wasm>) -> Result<Self> {
        let mut binaries = Vec::new();
        for module in chain(module) {
            let binary = module.binary();
            if binaries.iter().all(|(loaded, _)| *loaded != binary) {
                binaries.push((binary, load(&folder.join(binary.file_name()))?));
            }
        }
        Ok(Self { binaries })
    }

    /// Runs `module` on a block as the engine does: each module before it first, on what the one before it gave; none
    /// is called where that gave nothing.
    ///
    /// # Errors
    ///
    /// When a module ends in an error or a panic.
    pub fn call(&self, module: Module, params: &str, block: &[u8]) -> Result<Output> {
        let mut input = block.to_vec();
        let mut logs = Vec::new();
        let mut last = Output::default();
        for module in chain(module) {
            last = self.call_one(module, params, &input)?;
            logs.append(&mut last.logs);
            match last.bytes.clone() {
                Some(output) => input = output,
                None => break,
            }
        }
        last.logs = logs;
        Ok(last)
    }

    /// Runs `module` alone, on a block or on the output of the module before it.
    ///
    /// # Errors
    ///
    /// When it ends in an error or a panic, or its file was not loaded.
    pub fn call_one(&self, module: Module, params: &str, input: &[u8]) -> Result<Output> {
        let (_, wasm) = self
            .binaries
            .iter()
            .find(|(binary, _)| *binary == module.binary())
            .with_context(|| format!("{} is not loaded", module.binary().file_name()))?;
        match module.default_params() {
            Some(_) => wasm.call_with(module.name(), &[params.as_bytes(), input]),
            None => wasm.call(module.name(), input),
        }
    }
}

/// A module and those that it depends on, first the one that reads blocks.
fn chain(module: Module) -> Vec<Module> {
    let mut chain = vec![module];
    while let Some(input) = chain.last().and_then(|module| module.input()) {
        chain.push(input);
    }
    chain.reverse();
    chain
}
