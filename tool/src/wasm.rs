//! The package's wasm, run as a Substreams engine runs it.
//!
//! For every block and module the engine makes a new instance, copies the module's arguments into it by its `alloc`,
//! calls the function named as the module with their pointers and lengths, and takes what the module hands to
//! `env.output`. Nothing else is imported but `env.skip_empty_output`, `env.register_panic` and `logger.println`:
//! no clock, no files. wasmtime 41 is the version that hosted engines use, with its default configuration.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use wasmtime::{Caller, Config, Engine, Extern, InstancePre, Linker, Memory, Module, Store, Val};

/// What one call of a module has handed to the host.
#[derive(Default)]
struct Host {
    output: Option<Vec<u8>>,
    panic: Option<String>,
    logs: Vec<String>,
}

/// What a module gave for a block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// Its encoded output; `None` if it gave none.
    pub bytes: Option<Vec<u8>>,
    /// What it logged.
    pub logs: Vec<String>,
    /// Bytes that the memory grew by after the arguments were in it.
    pub memory_growth: u64,
    /// What the call took, without the making of the instance and the copying of arguments.
    pub duration: Duration,
    /// Operations of the wasm that the call took, where they are counted ([`Wasm::load_counting`]): the same on every
    /// machine.
    pub operations: Option<u64>,
}

/// A compiled wasm, ready to make instances.
pub struct Wasm {
    engine: Engine,
    instance: InstancePre<Host>,
    counts_operations: bool,
}

/// Operations that a call may take where they are counted: more than any takes.
const MOST_OPERATIONS: u64 = u64::MAX / 2;

impl Wasm {
    /// Reads and compiles a wasm file.
    ///
    /// # Errors
    ///
    /// When it cannot be read, is no wasm, or imports what an engine does not offer.
    pub fn load(path: &Path) -> Result<Self> {
        Self::new(&read_file(path)?).with_context(|| path.display().to_string())
    }

    /// As [`Wasm::load`], and counts operations, which makes calls slower.
    ///
    /// # Errors
    ///
    /// Those of [`Wasm::load`].
    pub fn load_counting(path: &Path) -> Result<Self> {
        Self::compile(&read_file(path)?, true).with_context(|| path.display().to_string())
    }

    /// Compiles a wasm.
    ///
    /// # Errors
    ///
    /// When it is no wasm, or imports what an engine does not offer.
    pub fn new(bytes: &[u8]) -> Result<Self> {
        Self::compile(bytes, false)
    }

    fn compile(bytes: &[u8], counts_operations: bool) -> Result<Self> {
        let mut config = Config::new();
        config.consume_fuel(counts_operations);
        // Its results may differ from machine to machine: no module may use it.
        config.wasm_relaxed_simd(false);
        let engine = Engine::new(&config)?;
        let module = Module::new(&engine, bytes)?;
        let mut linker = Linker::new(&engine);
        linker.func_wrap(
            "env",
            "output",
            |mut caller: Caller<'_, Host>, pointer: u32, length: u32| {
                let output = read(&mut caller, pointer, length)?;
                caller.data_mut().output = Some(output);
                Ok(())
            },
        )?;
        linker.func_wrap("env", "skip_empty_output", || {})?;
        linker.func_wrap(
            "env",
            "register_panic",
            |mut caller: Caller<'_, Host>,
             text: u32,
             length: u32,
             file: u32,
             file_length: u32,
             line: u32,
             column: u32| {
                let text = read_text(&mut caller, text, length)?;
                let file = read_text(&mut caller, file, file_length)?;
                caller.data_mut().panic = Some(format!("{text} ({file}:{line}:{column})"));
                Ok(())
            },
        )?;
        linker.func_wrap(
            "logger",
            "println",
            |mut caller: Caller<'_, Host>, pointer: u32, length: u32| {
                let line = read_text(&mut caller, pointer, length)?;
                caller.data_mut().logs.push(line);
                Ok(())
            },
        )?;
        let instance = linker.instantiate_pre(&module)?;
        Ok(Self {
            engine,
            instance,
            counts_operations,
        })
    }

    /// The modules that the wasm exports, by name.
    pub fn modules(&self) -> Vec<String> {
        let exports = self.instance.module().exports();
        let functions = exports
            .filter(|export| export.ty().func().is_some())
            .map(|export| export.name().to_owned());
        let mut modules: Vec<_> = functions
            .filter(|name| !["alloc", "dealloc"].contains(&name.as_str()))
            .collect();
        modules.sort();
        modules
    }

    /// Calls a module that has one argument: a block, or another module's output.
    ///
    /// # Errors
    ///
    /// Those of [`Wasm::call_with`].
    pub fn call(&self, module: &str, input: &[u8]) -> Result<Output> {
        self.call_with(module, &[input])
    }

    /// Calls a module with its arguments, in the manifest's order.
    ///
    /// # Errors
    ///
    /// When the wasm has no such module, or the module ends in an error or a panic, with its text.
    pub fn call_with(&self, module: &str, arguments: &[&[u8]]) -> Result<Output> {
        let mut store = Store::new(&self.engine, Host::default());
        if self.counts_operations {
            store.set_fuel(MOST_OPERATIONS)?;
        }
        let instance = self.instance.instantiate(&mut store)?;
        let function = instance.get_func(&mut store, module).with_context(|| {
            format!(
                "the wasm has no module {module:?}; it has {}",
                self.modules().join(", ")
            )
        })?;
        let alloc = instance.get_typed_func::<u32, u32>(&mut store, "alloc")?;
        let memory = instance
            .get_memory(&mut store, "memory")
            .context("the wasm exports no memory")?;
        let mut pointers_and_lengths = Vec::new();
        for argument in arguments {
            let length = i32::try_from(argument.len()).context("no wasm is given 2 GiB")?;
            let pointer = alloc
                .call(&mut store, length.cast_unsigned())
                .context("no memory for an argument")?;
            memory.write(&mut store, usize::try_from(pointer)?, argument)?;
            pointers_and_lengths.push(Val::I32(pointer.cast_signed()));
            pointers_and_lengths.push(Val::I32(length));
        }
        let memory_before = memory.data_size(&store);
        let fuel_before = store.get_fuel().ok();
        let began = Instant::now();
        let called = function.call(&mut store, &pointers_and_lengths, &mut []);
        let duration = began.elapsed();
        if let Err(trap) = called {
            match store.into_data().panic {
                Some(panic) => bail!("module {module}: {panic}"),
                None => return Err(trap.context(format!("module {module}"))),
            }
        }
        let memory_growth = memory.data_size(&store).saturating_sub(memory_before) as u64;
        // Where none is counted, there is none.
        let operations = fuel_before
            .zip(store.get_fuel().ok())
            .map(|(before, left)| before.saturating_sub(left));
        let Host { output, logs, .. } = store.into_data();
        // An empty message counts as no output: the modules ask for that by `env.skip_empty_output`.
        Ok(Output {
            bytes: output.filter(|bytes| !bytes.is_empty()),
            logs,
            memory_growth,
            duration,
            operations,
        })
    }
}

fn read_file(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).with_context(|| {
        format!(
            "{} (`make wasm` builds it; --wasm names another)",
            path.display()
        )
    })
}

fn read(caller: &mut Caller<'_, Host>, pointer: u32, length: u32) -> Result<Vec<u8>> {
    let memory: Memory = caller
        .get_export("memory")
        .and_then(Extern::into_memory)
        .context("no memory")?;
    let start = usize::try_from(pointer)?;
    let bytes = memory
        .data(&caller)
        .get(start..)
        .and_then(|rest| rest.get(..length as usize));
    Ok(bytes
        .context("the module names bytes outside its memory")?
        .to_vec())
}

fn read_text(caller: &mut Caller<'_, Host>, pointer: u32, length: u32) -> Result<String> {
    Ok(String::from_utf8_lossy(&read(caller, pointer, length)?).into_owned())
}
