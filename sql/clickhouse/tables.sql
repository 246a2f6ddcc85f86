-- The tables of all rows, generated from proto/ by `make protogen`; docs/schema.md says what a column holds, and
-- docs/sinks.md why keys, partitions and codecs are as they are.

CREATE TABLE IF NOT EXISTS trades (
    id String CODEC(ZSTD(1)),
    slot UInt64 CODEC(Delta, ZSTD(1)),
    block_time Nullable(DateTime('UTC')) CODEC(Delta, ZSTD(1)),
    transaction_index UInt32 CODEC(T64, ZSTD(1)),
    instruction_index UInt32 CODEC(T64, ZSTD(1)),
    inner_instruction_index UInt32 CODEC(T64, ZSTD(1)),
    stack_height Nullable(UInt32) CODEC(T64, ZSTD(1)),
    signature String CODEC(ZSTD(1)),
    fee_payer String CODEC(ZSTD(1)),
    outer_program LowCardinality(String) CODEC(ZSTD(1)),
    failed Bool CODEC(ZSTD(1)),
    mint String CODEC(ZSTD(1)),
    user String CODEC(ZSTD(1)),
    is_buy Bool CODEC(ZSTD(1)),
    sol_amount UInt64 CODEC(T64, ZSTD(1)),
    token_amount UInt64 CODEC(T64, ZSTD(1)),
    event_timestamp Int64 CODEC(Delta, ZSTD(1)),
    virtual_sol_reserves UInt64 CODEC(T64, ZSTD(1)),
    virtual_token_reserves UInt64 CODEC(T64, ZSTD(1)),
    real_sol_reserves Nullable(UInt64) CODEC(T64, ZSTD(1)),
    real_token_reserves Nullable(UInt64) CODEC(T64, ZSTD(1)),
    fee_recipient LowCardinality(Nullable(String)) CODEC(ZSTD(1)),
    fee_basis_points Nullable(UInt64) CODEC(T64, ZSTD(1)),
    fee Nullable(UInt64) CODEC(T64, ZSTD(1)),
    creator Nullable(String) CODEC(ZSTD(1)),
    creator_fee_basis_points Nullable(UInt64) CODEC(T64, ZSTD(1)),
    creator_fee Nullable(UInt64) CODEC(T64, ZSTD(1)),
    track_volume Nullable(Bool) CODEC(ZSTD(1)),
    total_unclaimed_tokens Nullable(UInt64) CODEC(T64, ZSTD(1)),
    total_claimed_tokens Nullable(UInt64) CODEC(T64, ZSTD(1)),
    current_sol_volume Nullable(UInt64) CODEC(T64, ZSTD(1)),
    last_update_timestamp Nullable(Int64) CODEC(Delta, ZSTD(1)),
    ix_name LowCardinality(Nullable(String)) CODEC(ZSTD(1)),
    mayhem_mode Nullable(Bool) CODEC(ZSTD(1)),
    cashback_fee_basis_points Nullable(UInt64) CODEC(T64, ZSTD(1)),
    cashback Nullable(UInt64) CODEC(T64, ZSTD(1)),
    buyback_fee_basis_points Nullable(UInt64) CODEC(T64, ZSTD(1)),
    buyback_fee Nullable(UInt64) CODEC(T64, ZSTD(1)),
    quote_mint LowCardinality(String) CODEC(ZSTD(1)),
    quote_amount UInt64 CODEC(T64, ZSTD(1)),
    virtual_quote_reserves UInt64 CODEC(T64, ZSTD(1)),
    real_quote_reserves Nullable(UInt64) CODEC(T64, ZSTD(1)),
    holder_rewards_bps Nullable(UInt64) CODEC(T64, ZSTD(1)),
    holder_rewards Nullable(UInt64) CODEC(T64, ZSTD(1)),
    creator_fee_unclaimed Nullable(UInt64) CODEC(T64, ZSTD(1)),
    layout LowCardinality(String) CODEC(ZSTD(1)),
    unknown_trailing_bytes UInt32 CODEC(T64, ZSTD(1)),
    INDEX user_bloom user TYPE bloom_filter(0.001) GRANULARITY 1,
    INDEX creator_bloom creator TYPE bloom_filter(0.001) GRANULARITY 1,
    INDEX slot_minmax slot TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY intDiv(slot, 6480000)
ORDER BY (mint, slot, transaction_index, instruction_index, inner_instruction_index);

CREATE TABLE IF NOT EXISTS shareholders (
    trade_id String CODEC(ZSTD(1)),
    position UInt32 CODEC(T64, ZSTD(1)),
    address String CODEC(ZSTD(1)),
    share_bps UInt32 CODEC(T64, ZSTD(1)),
    id String CODEC(ZSTD(1)),
    slot UInt64 CODEC(Delta, ZSTD(1)),
    block_time Nullable(DateTime('UTC')) CODEC(Delta, ZSTD(1)),
    INDEX address_bloom address TYPE bloom_filter(0.001) GRANULARITY 1,
    INDEX slot_minmax slot TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY intDiv(slot, 6480000)
ORDER BY (trade_id, position);

CREATE TABLE IF NOT EXISTS raw_events (
    id String CODEC(ZSTD(1)),
    slot UInt64 CODEC(Delta, ZSTD(1)),
    block_time Nullable(DateTime('UTC')) CODEC(Delta, ZSTD(1)),
    transaction_index UInt32 CODEC(T64, ZSTD(1)),
    instruction_index UInt32 CODEC(T64, ZSTD(1)),
    inner_instruction_index UInt32 CODEC(T64, ZSTD(1)),
    stack_height Nullable(UInt32) CODEC(T64, ZSTD(1)),
    signature String CODEC(ZSTD(1)),
    fee_payer String CODEC(ZSTD(1)),
    outer_program LowCardinality(String) CODEC(ZSTD(1)),
    failed Bool CODEC(ZSTD(1)),
    discriminator String CODEC(ZSTD(1)),
    data String CODEC(ZSTD(1)),
    reason String CODEC(ZSTD(1)),
    event_name LowCardinality(String) CODEC(ZSTD(1)),
    INDEX slot_minmax slot TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY intDiv(slot, 6480000)
ORDER BY (slot, transaction_index, instruction_index, inner_instruction_index);

CREATE TABLE IF NOT EXISTS creations (
    id String CODEC(ZSTD(1)),
    slot UInt64 CODEC(Delta, ZSTD(1)),
    block_time Nullable(DateTime('UTC')) CODEC(Delta, ZSTD(1)),
    transaction_index UInt32 CODEC(T64, ZSTD(1)),
    instruction_index UInt32 CODEC(T64, ZSTD(1)),
    inner_instruction_index UInt32 CODEC(T64, ZSTD(1)),
    stack_height Nullable(UInt32) CODEC(T64, ZSTD(1)),
    signature String CODEC(ZSTD(1)),
    fee_payer String CODEC(ZSTD(1)),
    outer_program LowCardinality(String) CODEC(ZSTD(1)),
    failed Bool CODEC(ZSTD(1)),
    layout LowCardinality(String) CODEC(ZSTD(1)),
    unknown_trailing_bytes UInt32 CODEC(T64, ZSTD(1)),
    name String CODEC(ZSTD(1)),
    symbol String CODEC(ZSTD(1)),
    uri String CODEC(ZSTD(1)),
    mint String CODEC(ZSTD(1)),
    bonding_curve String CODEC(ZSTD(1)),
    user String CODEC(ZSTD(1)),
    creator Nullable(String) CODEC(ZSTD(1)),
    event_timestamp Nullable(Int64) CODEC(Delta, ZSTD(1)),
    virtual_token_reserves Nullable(UInt64) CODEC(T64, ZSTD(1)),
    virtual_sol_reserves Nullable(UInt64) CODEC(T64, ZSTD(1)),
    real_token_reserves Nullable(UInt64) CODEC(T64, ZSTD(1)),
    token_total_supply Nullable(UInt64) CODEC(T64, ZSTD(1)),
    token_program Nullable(String) CODEC(ZSTD(1)),
    is_mayhem_mode Nullable(Bool) CODEC(ZSTD(1)),
    is_cashback_enabled Nullable(Bool) CODEC(ZSTD(1)),
    quote_mint LowCardinality(Nullable(String)) CODEC(ZSTD(1)),
    virtual_quote_reserves Nullable(UInt64) CODEC(T64, ZSTD(1)),
    creator_fee_bps Nullable(UInt64) CODEC(T64, ZSTD(1)),
    is_holder_reward Nullable(Bool) CODEC(ZSTD(1)),
    depth Nullable(UInt32) CODEC(T64, ZSTD(1)),
    INDEX user_bloom user TYPE bloom_filter(0.001) GRANULARITY 1,
    INDEX creator_bloom creator TYPE bloom_filter(0.001) GRANULARITY 1,
    INDEX slot_minmax slot TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY intDiv(slot, 6480000)
ORDER BY (mint, slot, transaction_index, instruction_index, inner_instruction_index);

CREATE TABLE IF NOT EXISTS completions (
    id String CODEC(ZSTD(1)),
    slot UInt64 CODEC(Delta, ZSTD(1)),
    block_time Nullable(DateTime('UTC')) CODEC(Delta, ZSTD(1)),
    transaction_index UInt32 CODEC(T64, ZSTD(1)),
    instruction_index UInt32 CODEC(T64, ZSTD(1)),
    inner_instruction_index UInt32 CODEC(T64, ZSTD(1)),
    stack_height Nullable(UInt32) CODEC(T64, ZSTD(1)),
    signature String CODEC(ZSTD(1)),
    fee_payer String CODEC(ZSTD(1)),
    outer_program LowCardinality(String) CODEC(ZSTD(1)),
    failed Bool CODEC(ZSTD(1)),
    layout LowCardinality(String) CODEC(ZSTD(1)),
    unknown_trailing_bytes UInt32 CODEC(T64, ZSTD(1)),
    user String CODEC(ZSTD(1)),
    mint String CODEC(ZSTD(1)),
    bonding_curve String CODEC(ZSTD(1)),
    event_timestamp Int64 CODEC(Delta, ZSTD(1)),
    quote_mint LowCardinality(Nullable(String)) CODEC(ZSTD(1)),
    INDEX user_bloom user TYPE bloom_filter(0.001) GRANULARITY 1,
    INDEX slot_minmax slot TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY intDiv(slot, 6480000)
ORDER BY (mint, slot, transaction_index, instruction_index, inner_instruction_index);

CREATE TABLE IF NOT EXISTS post_completion_buys (
    id String CODEC(ZSTD(1)),
    slot UInt64 CODEC(Delta, ZSTD(1)),
    block_time Nullable(DateTime('UTC')) CODEC(Delta, ZSTD(1)),
    transaction_index UInt32 CODEC(T64, ZSTD(1)),
    instruction_index UInt32 CODEC(T64, ZSTD(1)),
    inner_instruction_index UInt32 CODEC(T64, ZSTD(1)),
    stack_height Nullable(UInt32) CODEC(T64, ZSTD(1)),
    signature String CODEC(ZSTD(1)),
    fee_payer String CODEC(ZSTD(1)),
    outer_program LowCardinality(String) CODEC(ZSTD(1)),
    failed Bool CODEC(ZSTD(1)),
    layout LowCardinality(String) CODEC(ZSTD(1)),
    unknown_trailing_bytes UInt32 CODEC(T64, ZSTD(1)),
    trade_id Nullable(String) CODEC(ZSTD(1)),
    user String CODEC(ZSTD(1)),
    mint String CODEC(ZSTD(1)),
    bonding_curve String CODEC(ZSTD(1)),
    quote_mint LowCardinality(String) CODEC(ZSTD(1)),
    event_timestamp Int64 CODEC(Delta, ZSTD(1)),
    base_out UInt64 CODEC(T64, ZSTD(1)),
    quote_in UInt64 CODEC(T64, ZSTD(1)),
    fee_basis_points UInt64 CODEC(T64, ZSTD(1)),
    fee UInt64 CODEC(T64, ZSTD(1)),
    creator_fee_basis_points UInt64 CODEC(T64, ZSTD(1)),
    creator_fee UInt64 CODEC(T64, ZSTD(1)),
    buyback_fee UInt64 CODEC(T64, ZSTD(1)),
    pool_base_reserves_before UInt64 CODEC(T64, ZSTD(1)),
    pool_quote_reserves_before UInt64 CODEC(T64, ZSTD(1)),
    pool_base_reserves_after UInt64 CODEC(T64, ZSTD(1)),
    pool_quote_reserves_after UInt64 CODEC(T64, ZSTD(1)),
    INDEX user_bloom user TYPE bloom_filter(0.001) GRANULARITY 1,
    INDEX slot_minmax slot TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY intDiv(slot, 6480000)
ORDER BY (mint, slot, transaction_index, instruction_index, inner_instruction_index);

CREATE TABLE IF NOT EXISTS migrations (
    id String CODEC(ZSTD(1)),
    slot UInt64 CODEC(Delta, ZSTD(1)),
    block_time Nullable(DateTime('UTC')) CODEC(Delta, ZSTD(1)),
    transaction_index UInt32 CODEC(T64, ZSTD(1)),
    instruction_index UInt32 CODEC(T64, ZSTD(1)),
    inner_instruction_index UInt32 CODEC(T64, ZSTD(1)),
    stack_height Nullable(UInt32) CODEC(T64, ZSTD(1)),
    signature String CODEC(ZSTD(1)),
    fee_payer String CODEC(ZSTD(1)),
    outer_program LowCardinality(String) CODEC(ZSTD(1)),
    failed Bool CODEC(ZSTD(1)),
    layout LowCardinality(String) CODEC(ZSTD(1)),
    unknown_trailing_bytes UInt32 CODEC(T64, ZSTD(1)),
    user String CODEC(ZSTD(1)),
    mint String CODEC(ZSTD(1)),
    mint_amount UInt64 CODEC(T64, ZSTD(1)),
    sol_amount UInt64 CODEC(T64, ZSTD(1)),
    pool_migration_fee UInt64 CODEC(T64, ZSTD(1)),
    bonding_curve String CODEC(ZSTD(1)),
    event_timestamp Int64 CODEC(Delta, ZSTD(1)),
    pool String CODEC(ZSTD(1)),
    quote_mint LowCardinality(Nullable(String)) CODEC(ZSTD(1)),
    INDEX user_bloom user TYPE bloom_filter(0.001) GRANULARITY 1,
    INDEX slot_minmax slot TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY intDiv(slot, 6480000)
ORDER BY (mint, slot, transaction_index, instruction_index, inner_instruction_index);

CREATE TABLE IF NOT EXISTS creator_changes (
    id String CODEC(ZSTD(1)),
    slot UInt64 CODEC(Delta, ZSTD(1)),
    block_time Nullable(DateTime('UTC')) CODEC(Delta, ZSTD(1)),
    transaction_index UInt32 CODEC(T64, ZSTD(1)),
    instruction_index UInt32 CODEC(T64, ZSTD(1)),
    inner_instruction_index UInt32 CODEC(T64, ZSTD(1)),
    stack_height Nullable(UInt32) CODEC(T64, ZSTD(1)),
    signature String CODEC(ZSTD(1)),
    fee_payer String CODEC(ZSTD(1)),
    outer_program LowCardinality(String) CODEC(ZSTD(1)),
    failed Bool CODEC(ZSTD(1)),
    layout LowCardinality(String) CODEC(ZSTD(1)),
    unknown_trailing_bytes UInt32 CODEC(T64, ZSTD(1)),
    event_name LowCardinality(String) CODEC(ZSTD(1)),
    event_timestamp Int64 CODEC(Delta, ZSTD(1)),
    mint String CODEC(ZSTD(1)),
    bonding_curve String CODEC(ZSTD(1)),
    new_creator String CODEC(ZSTD(1)),
    old_creator Nullable(String) CODEC(ZSTD(1)),
    authority Nullable(String) CODEC(ZSTD(1)),
    metadata Nullable(String) CODEC(ZSTD(1)),
    sharing_config Nullable(String) CODEC(ZSTD(1)),
    is_holder_reward Nullable(Bool) CODEC(ZSTD(1)),
    is_cashback_coin Nullable(Bool) CODEC(ZSTD(1)),
    old_creator_fee_bps Nullable(UInt64) CODEC(T64, ZSTD(1)),
    new_creator_fee_bps Nullable(UInt64) CODEC(T64, ZSTD(1)),
    sharing_config_reset Nullable(Bool) CODEC(ZSTD(1)),
    swept_to_holder_vault Nullable(UInt64) CODEC(T64, ZSTD(1)),
    pool_updated Nullable(Bool) CODEC(ZSTD(1)),
    INDEX slot_minmax slot TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY intDiv(slot, 6480000)
ORDER BY (mint, slot, transaction_index, instruction_index, inner_instruction_index);

CREATE TABLE IF NOT EXISTS mayhem_updates (
    id String CODEC(ZSTD(1)),
    slot UInt64 CODEC(Delta, ZSTD(1)),
    block_time Nullable(DateTime('UTC')) CODEC(Delta, ZSTD(1)),
    transaction_index UInt32 CODEC(T64, ZSTD(1)),
    instruction_index UInt32 CODEC(T64, ZSTD(1)),
    inner_instruction_index UInt32 CODEC(T64, ZSTD(1)),
    stack_height Nullable(UInt32) CODEC(T64, ZSTD(1)),
    signature String CODEC(ZSTD(1)),
    fee_payer String CODEC(ZSTD(1)),
    outer_program LowCardinality(String) CODEC(ZSTD(1)),
    failed Bool CODEC(ZSTD(1)),
    layout LowCardinality(String) CODEC(ZSTD(1)),
    unknown_trailing_bytes UInt32 CODEC(T64, ZSTD(1)),
    event_timestamp Int64 CODEC(Delta, ZSTD(1)),
    mint String CODEC(ZSTD(1)),
    virtual_token_reserves UInt64 CODEC(T64, ZSTD(1)),
    virtual_sol_reserves UInt64 CODEC(T64, ZSTD(1)),
    new_virtual_token_reserves UInt64 CODEC(T64, ZSTD(1)),
    new_virtual_sol_reserves UInt64 CODEC(T64, ZSTD(1)),
    real_token_reserves UInt64 CODEC(T64, ZSTD(1)),
    real_sol_reserves UInt64 CODEC(T64, ZSTD(1)),
    INDEX slot_minmax slot TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY intDiv(slot, 6480000)
ORDER BY (mint, slot, transaction_index, instruction_index, inner_instruction_index);

CREATE TABLE IF NOT EXISTS fee_collections (
    id String CODEC(ZSTD(1)),
    slot UInt64 CODEC(Delta, ZSTD(1)),
    block_time Nullable(DateTime('UTC')) CODEC(Delta, ZSTD(1)),
    transaction_index UInt32 CODEC(T64, ZSTD(1)),
    instruction_index UInt32 CODEC(T64, ZSTD(1)),
    inner_instruction_index UInt32 CODEC(T64, ZSTD(1)),
    stack_height Nullable(UInt32) CODEC(T64, ZSTD(1)),
    signature String CODEC(ZSTD(1)),
    fee_payer String CODEC(ZSTD(1)),
    outer_program LowCardinality(String) CODEC(ZSTD(1)),
    failed Bool CODEC(ZSTD(1)),
    layout LowCardinality(String) CODEC(ZSTD(1)),
    unknown_trailing_bytes UInt32 CODEC(T64, ZSTD(1)),
    event_timestamp Int64 CODEC(Delta, ZSTD(1)),
    creator String CODEC(ZSTD(1)),
    creator_fee UInt64 CODEC(T64, ZSTD(1)),
    quote_mint LowCardinality(Nullable(String)) CODEC(ZSTD(1)),
    INDEX slot_minmax slot TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY intDiv(slot, 6480000)
ORDER BY (creator, slot, transaction_index, instruction_index, inner_instruction_index);

CREATE TABLE IF NOT EXISTS fee_sweeps (
    id String CODEC(ZSTD(1)),
    slot UInt64 CODEC(Delta, ZSTD(1)),
    block_time Nullable(DateTime('UTC')) CODEC(Delta, ZSTD(1)),
    transaction_index UInt32 CODEC(T64, ZSTD(1)),
    instruction_index UInt32 CODEC(T64, ZSTD(1)),
    inner_instruction_index UInt32 CODEC(T64, ZSTD(1)),
    stack_height Nullable(UInt32) CODEC(T64, ZSTD(1)),
    signature String CODEC(ZSTD(1)),
    fee_payer String CODEC(ZSTD(1)),
    outer_program LowCardinality(String) CODEC(ZSTD(1)),
    failed Bool CODEC(ZSTD(1)),
    layout LowCardinality(String) CODEC(ZSTD(1)),
    unknown_trailing_bytes UInt32 CODEC(T64, ZSTD(1)),
    event_timestamp Int64 CODEC(Delta, ZSTD(1)),
    mint String CODEC(ZSTD(1)),
    bonding_curve String CODEC(ZSTD(1)),
    quote_mint LowCardinality(String) CODEC(ZSTD(1)),
    recipient String CODEC(ZSTD(1)),
    amount UInt64 CODEC(T64, ZSTD(1)),
    bucket UInt32 CODEC(T64, ZSTD(1)),
    INDEX slot_minmax slot TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY intDiv(slot, 6480000)
ORDER BY (mint, slot, transaction_index, instruction_index, inner_instruction_index);

-- The trades once more in the order of their users, for look-ups by user. It is filled as trades is, and a row that
-- comes twice is replaced here as there.
CREATE MATERIALIZED VIEW IF NOT EXISTS trades_by_user
ENGINE = ReplacingMergeTree
PARTITION BY intDiv(slot, 6480000)
ORDER BY (user, slot, transaction_index, instruction_index, inner_instruction_index)
AS SELECT * FROM trades;
