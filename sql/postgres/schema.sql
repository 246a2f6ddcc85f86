-- What the SQL sink sets up: tables.sql, indexes.sql and views.sql in one. Written by `make protogen`.

-- The tables of all rows, generated from proto/ by `make protogen`; docs/schema.md says what a column holds.

CREATE TABLE IF NOT EXISTS trades (
    "id" TEXT PRIMARY KEY,
    "slot" NUMERIC(20,0) NOT NULL,
    "block_time" TIMESTAMPTZ,
    "transaction_index" BIGINT NOT NULL,
    "instruction_index" BIGINT NOT NULL,
    "inner_instruction_index" BIGINT NOT NULL,
    "stack_height" BIGINT,
    "signature" TEXT NOT NULL,
    "fee_payer" TEXT NOT NULL,
    "outer_program" TEXT NOT NULL,
    "failed" BOOLEAN NOT NULL,
    "mint" TEXT NOT NULL,
    "user" TEXT NOT NULL,
    "is_buy" BOOLEAN NOT NULL,
    "sol_amount" NUMERIC(20,0) NOT NULL,
    "token_amount" NUMERIC(20,0) NOT NULL,
    "event_timestamp" BIGINT NOT NULL,
    "virtual_sol_reserves" NUMERIC(20,0) NOT NULL,
    "virtual_token_reserves" NUMERIC(20,0) NOT NULL,
    "real_sol_reserves" NUMERIC(20,0),
    "real_token_reserves" NUMERIC(20,0),
    "fee_recipient" TEXT,
    "fee_basis_points" NUMERIC(20,0),
    "fee" NUMERIC(20,0),
    "creator" TEXT,
    "creator_fee_basis_points" NUMERIC(20,0),
    "creator_fee" NUMERIC(20,0),
    "track_volume" BOOLEAN,
    "total_unclaimed_tokens" NUMERIC(20,0),
    "total_claimed_tokens" NUMERIC(20,0),
    "current_sol_volume" NUMERIC(20,0),
    "last_update_timestamp" BIGINT,
    "ix_name" TEXT,
    "mayhem_mode" BOOLEAN,
    "cashback_fee_basis_points" NUMERIC(20,0),
    "cashback" NUMERIC(20,0),
    "buyback_fee_basis_points" NUMERIC(20,0),
    "buyback_fee" NUMERIC(20,0),
    "quote_mint" TEXT NOT NULL,
    "quote_amount" NUMERIC(20,0) NOT NULL,
    "virtual_quote_reserves" NUMERIC(20,0) NOT NULL,
    "real_quote_reserves" NUMERIC(20,0),
    "holder_rewards_bps" NUMERIC(20,0),
    "holder_rewards" NUMERIC(20,0),
    "creator_fee_unclaimed" NUMERIC(20,0),
    "layout" TEXT NOT NULL,
    "unknown_trailing_bytes" BIGINT NOT NULL
);

CREATE TABLE IF NOT EXISTS shareholders (
    "trade_id" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "address" TEXT NOT NULL,
    "share_bps" BIGINT NOT NULL,
    "id" TEXT PRIMARY KEY,
    "slot" NUMERIC(20,0) NOT NULL,
    "block_time" TIMESTAMPTZ
);

CREATE TABLE IF NOT EXISTS raw_events (
    "id" TEXT PRIMARY KEY,
    "slot" NUMERIC(20,0) NOT NULL,
    "block_time" TIMESTAMPTZ,
    "transaction_index" BIGINT NOT NULL,
    "instruction_index" BIGINT NOT NULL,
    "inner_instruction_index" BIGINT NOT NULL,
    "stack_height" BIGINT,
    "signature" TEXT NOT NULL,
    "fee_payer" TEXT NOT NULL,
    "outer_program" TEXT NOT NULL,
    "failed" BOOLEAN NOT NULL,
    "discriminator" TEXT NOT NULL,
    "data" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "event_name" TEXT NOT NULL
);

CREATE TABLE IF NOT EXISTS creations (
    "id" TEXT PRIMARY KEY,
    "slot" NUMERIC(20,0) NOT NULL,
    "block_time" TIMESTAMPTZ,
    "transaction_index" BIGINT NOT NULL,
    "instruction_index" BIGINT NOT NULL,
    "inner_instruction_index" BIGINT NOT NULL,
    "stack_height" BIGINT,
    "signature" TEXT NOT NULL,
    "fee_payer" TEXT NOT NULL,
    "outer_program" TEXT NOT NULL,
    "failed" BOOLEAN NOT NULL,
    "layout" TEXT NOT NULL,
    "unknown_trailing_bytes" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "symbol" TEXT NOT NULL,
    "uri" TEXT NOT NULL,
    "mint" TEXT NOT NULL,
    "bonding_curve" TEXT NOT NULL,
    "user" TEXT NOT NULL,
    "creator" TEXT,
    "event_timestamp" BIGINT,
    "virtual_token_reserves" NUMERIC(20,0),
    "virtual_sol_reserves" NUMERIC(20,0),
    "real_token_reserves" NUMERIC(20,0),
    "token_total_supply" NUMERIC(20,0),
    "token_program" TEXT,
    "is_mayhem_mode" BOOLEAN,
    "is_cashback_enabled" BOOLEAN,
    "quote_mint" TEXT,
    "virtual_quote_reserves" NUMERIC(20,0),
    "creator_fee_bps" NUMERIC(20,0),
    "is_holder_reward" BOOLEAN,
    "depth" BIGINT
);

CREATE TABLE IF NOT EXISTS completions (
    "id" TEXT PRIMARY KEY,
    "slot" NUMERIC(20,0) NOT NULL,
    "block_time" TIMESTAMPTZ,
    "transaction_index" BIGINT NOT NULL,
    "instruction_index" BIGINT NOT NULL,
    "inner_instruction_index" BIGINT NOT NULL,
    "stack_height" BIGINT,
    "signature" TEXT NOT NULL,
    "fee_payer" TEXT NOT NULL,
    "outer_program" TEXT NOT NULL,
    "failed" BOOLEAN NOT NULL,
    "layout" TEXT NOT NULL,
    "unknown_trailing_bytes" BIGINT NOT NULL,
    "user" TEXT NOT NULL,
    "mint" TEXT NOT NULL,
    "bonding_curve" TEXT NOT NULL,
    "event_timestamp" BIGINT NOT NULL,
    "quote_mint" TEXT
);

CREATE TABLE IF NOT EXISTS post_completion_buys (
    "id" TEXT PRIMARY KEY,
    "slot" NUMERIC(20,0) NOT NULL,
    "block_time" TIMESTAMPTZ,
    "transaction_index" BIGINT NOT NULL,
    "instruction_index" BIGINT NOT NULL,
    "inner_instruction_index" BIGINT NOT NULL,
    "stack_height" BIGINT,
    "signature" TEXT NOT NULL,
    "fee_payer" TEXT NOT NULL,
    "outer_program" TEXT NOT NULL,
    "failed" BOOLEAN NOT NULL,
    "layout" TEXT NOT NULL,
    "unknown_trailing_bytes" BIGINT NOT NULL,
    "trade_id" TEXT,
    "user" TEXT NOT NULL,
    "mint" TEXT NOT NULL,
    "bonding_curve" TEXT NOT NULL,
    "quote_mint" TEXT NOT NULL,
    "event_timestamp" BIGINT NOT NULL,
    "base_out" NUMERIC(20,0) NOT NULL,
    "quote_in" NUMERIC(20,0) NOT NULL,
    "fee_basis_points" NUMERIC(20,0) NOT NULL,
    "fee" NUMERIC(20,0) NOT NULL,
    "creator_fee_basis_points" NUMERIC(20,0) NOT NULL,
    "creator_fee" NUMERIC(20,0) NOT NULL,
    "buyback_fee" NUMERIC(20,0) NOT NULL,
    "pool_base_reserves_before" NUMERIC(20,0) NOT NULL,
    "pool_quote_reserves_before" NUMERIC(20,0) NOT NULL,
    "pool_base_reserves_after" NUMERIC(20,0) NOT NULL,
    "pool_quote_reserves_after" NUMERIC(20,0) NOT NULL
);

CREATE TABLE IF NOT EXISTS migrations (
    "id" TEXT PRIMARY KEY,
    "slot" NUMERIC(20,0) NOT NULL,
    "block_time" TIMESTAMPTZ,
    "transaction_index" BIGINT NOT NULL,
    "instruction_index" BIGINT NOT NULL,
    "inner_instruction_index" BIGINT NOT NULL,
    "stack_height" BIGINT,
    "signature" TEXT NOT NULL,
    "fee_payer" TEXT NOT NULL,
    "outer_program" TEXT NOT NULL,
    "failed" BOOLEAN NOT NULL,
    "layout" TEXT NOT NULL,
    "unknown_trailing_bytes" BIGINT NOT NULL,
    "user" TEXT NOT NULL,
    "mint" TEXT NOT NULL,
    "mint_amount" NUMERIC(20,0) NOT NULL,
    "sol_amount" NUMERIC(20,0) NOT NULL,
    "pool_migration_fee" NUMERIC(20,0) NOT NULL,
    "bonding_curve" TEXT NOT NULL,
    "event_timestamp" BIGINT NOT NULL,
    "pool" TEXT NOT NULL,
    "quote_mint" TEXT
);

CREATE TABLE IF NOT EXISTS creator_changes (
    "id" TEXT PRIMARY KEY,
    "slot" NUMERIC(20,0) NOT NULL,
    "block_time" TIMESTAMPTZ,
    "transaction_index" BIGINT NOT NULL,
    "instruction_index" BIGINT NOT NULL,
    "inner_instruction_index" BIGINT NOT NULL,
    "stack_height" BIGINT,
    "signature" TEXT NOT NULL,
    "fee_payer" TEXT NOT NULL,
    "outer_program" TEXT NOT NULL,
    "failed" BOOLEAN NOT NULL,
    "layout" TEXT NOT NULL,
    "unknown_trailing_bytes" BIGINT NOT NULL,
    "event_name" TEXT NOT NULL,
    "event_timestamp" BIGINT NOT NULL,
    "mint" TEXT NOT NULL,
    "bonding_curve" TEXT NOT NULL,
    "new_creator" TEXT NOT NULL,
    "old_creator" TEXT,
    "authority" TEXT,
    "metadata" TEXT,
    "sharing_config" TEXT,
    "is_holder_reward" BOOLEAN,
    "is_cashback_coin" BOOLEAN,
    "old_creator_fee_bps" NUMERIC(20,0),
    "new_creator_fee_bps" NUMERIC(20,0),
    "sharing_config_reset" BOOLEAN,
    "swept_to_holder_vault" NUMERIC(20,0),
    "pool_updated" BOOLEAN
);

CREATE TABLE IF NOT EXISTS mayhem_updates (
    "id" TEXT PRIMARY KEY,
    "slot" NUMERIC(20,0) NOT NULL,
    "block_time" TIMESTAMPTZ,
    "transaction_index" BIGINT NOT NULL,
    "instruction_index" BIGINT NOT NULL,
    "inner_instruction_index" BIGINT NOT NULL,
    "stack_height" BIGINT,
    "signature" TEXT NOT NULL,
    "fee_payer" TEXT NOT NULL,
    "outer_program" TEXT NOT NULL,
    "failed" BOOLEAN NOT NULL,
    "layout" TEXT NOT NULL,
    "unknown_trailing_bytes" BIGINT NOT NULL,
    "event_timestamp" BIGINT NOT NULL,
    "mint" TEXT NOT NULL,
    "virtual_token_reserves" NUMERIC(20,0) NOT NULL,
    "virtual_sol_reserves" NUMERIC(20,0) NOT NULL,
    "new_virtual_token_reserves" NUMERIC(20,0) NOT NULL,
    "new_virtual_sol_reserves" NUMERIC(20,0) NOT NULL,
    "real_token_reserves" NUMERIC(20,0) NOT NULL,
    "real_sol_reserves" NUMERIC(20,0) NOT NULL
);

CREATE TABLE IF NOT EXISTS fee_collections (
    "id" TEXT PRIMARY KEY,
    "slot" NUMERIC(20,0) NOT NULL,
    "block_time" TIMESTAMPTZ,
    "transaction_index" BIGINT NOT NULL,
    "instruction_index" BIGINT NOT NULL,
    "inner_instruction_index" BIGINT NOT NULL,
    "stack_height" BIGINT,
    "signature" TEXT NOT NULL,
    "fee_payer" TEXT NOT NULL,
    "outer_program" TEXT NOT NULL,
    "failed" BOOLEAN NOT NULL,
    "layout" TEXT NOT NULL,
    "unknown_trailing_bytes" BIGINT NOT NULL,
    "event_timestamp" BIGINT NOT NULL,
    "creator" TEXT NOT NULL,
    "creator_fee" NUMERIC(20,0) NOT NULL,
    "quote_mint" TEXT
);

CREATE TABLE IF NOT EXISTS fee_sweeps (
    "id" TEXT PRIMARY KEY,
    "slot" NUMERIC(20,0) NOT NULL,
    "block_time" TIMESTAMPTZ,
    "transaction_index" BIGINT NOT NULL,
    "instruction_index" BIGINT NOT NULL,
    "inner_instruction_index" BIGINT NOT NULL,
    "stack_height" BIGINT,
    "signature" TEXT NOT NULL,
    "fee_payer" TEXT NOT NULL,
    "outer_program" TEXT NOT NULL,
    "failed" BOOLEAN NOT NULL,
    "layout" TEXT NOT NULL,
    "unknown_trailing_bytes" BIGINT NOT NULL,
    "event_timestamp" BIGINT NOT NULL,
    "mint" TEXT NOT NULL,
    "bonding_curve" TEXT NOT NULL,
    "quote_mint" TEXT NOT NULL,
    "recipient" TEXT NOT NULL,
    "amount" NUMERIC(20,0) NOT NULL,
    "bucket" BIGINT NOT NULL
);

-- What the views and look-ups by mint, user, creator, router and time need, beside the primary keys. For a first load
-- of a long history it is faster to run this file after the load.

-- Trades of a coin, newest first, candles, holders of a coin.
CREATE INDEX IF NOT EXISTS trades_mint_slot ON trades (mint, slot);
-- Trades of a user, newest first, and what the user holds.
CREATE INDEX IF NOT EXISTS trades_user_slot ON trades ("user", slot);
-- Fees that a creator earned. Trades before layout V2 name no creator.
CREATE INDEX IF NOT EXISTS trades_creator_slot ON trades (creator, slot) WHERE creator IS NOT NULL;
-- Trades that came through a router.
CREATE INDEX IF NOT EXISTS trades_router_slot ON trades (outer_program, slot);
-- Trades of a span of time, and the newest time.
CREATE INDEX IF NOT EXISTS trades_time ON trades (block_time);
-- The drift alarm. As good as empty, so it costs nothing.
CREATE INDEX IF NOT EXISTS trades_drift ON trades (slot) WHERE unknown_trailing_bytes > 0;

-- A coin's life.
CREATE INDEX IF NOT EXISTS creations_mint ON creations (mint);
CREATE INDEX IF NOT EXISTS completions_mint ON completions (mint);
CREATE INDEX IF NOT EXISTS migrations_mint ON migrations (mint);
CREATE INDEX IF NOT EXISTS creator_changes_mint ON creator_changes (mint);
CREATE INDEX IF NOT EXISTS mayhem_updates_mint ON mayhem_updates (mint);
CREATE INDEX IF NOT EXISTS fee_sweeps_mint ON fee_sweeps (mint);

-- Coins of a creator: before V1 an event names no creator, and its user is it.
CREATE INDEX IF NOT EXISTS creations_creator ON creations ((COALESCE(creator, "user")));
-- Fees that a creator took out.
CREATE INDEX IF NOT EXISTS fee_collections_creator ON fee_collections (creator);

-- The part of holder_flows that is not in trades.
CREATE INDEX IF NOT EXISTS post_completion_buys_mint ON post_completion_buys (mint);
CREATE INDEX IF NOT EXISTS post_completion_buys_user ON post_completion_buys ("user");

-- Views over the tables of rows. They hold for all of them:
--   Only what took effect counts: rows of failed transactions are left out, but for trade_prices, which shows them.
--   Amounts are whole units, such as SOL and tokens, not lamports, as exact NUMERIC. Prices are quote units per token.
--   A quote mint that the table quotes does not have gives NULL for its symbol, its decimals and all that is counted in
--   it. Add it there, and the views are right.
--   SOL (the zero key) and wrapped SOL are two quote mints, as the events name them, and so two rows where a row is one
--   per quote mint.
--   Times are those of the block, or of the event where the block has none and the event's is none beyond reason (event_time below).
--   Days and widths of time are UTC.
--   To ask for many coins or users at once, join with LATERAL (SELECT * FROM view WHERE mint = other.mint OFFSET 0): that
--   uses the indexes for each of them. mint IN (SELECT ...) may read all trades.
--   Order is that of the chain: slot, transaction, instruction, inner instruction.

-- Mints that coins are priced in: a row is one, with its decimals. Add what is missing.
CREATE TABLE IF NOT EXISTS quotes (
    mint TEXT PRIMARY KEY,
    symbol TEXT NOT NULL,
    decimals SMALLINT NOT NULL CHECK (decimals BETWEEN 0 AND 18)
);

INSERT INTO quotes (mint, symbol, decimals) VALUES
    ('11111111111111111111111111111111', 'SOL', 9),
    ('So11111111111111111111111111111111111111112', 'WSOL', 9),
    ('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'USDC', 6),
    ('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', 'USDT', 6),
    ('USD1ttGY1N17NEEHLmELoaybftRBUSErhqYiQzUEmuB', 'USD1', 6)
ON CONFLICT (mint) DO NOTHING;

-- A row is a quote mint. unit is its smallest unit, in whole ones: 0.000000001 for SOL. An amount times unit is exact.
CREATE OR REPLACE VIEW quote_units AS
SELECT mint, symbol, decimals, CAST('1e-' || decimals AS NUMERIC) AS unit
FROM quotes;

-- When a row happened: at its block's time, or at its event's where the block has none. NULL where the event's, in seconds
-- since 1970, lies more than three thousand years away: whoever signs a transaction of a broken program chooses it.
CREATE OR REPLACE FUNCTION event_time(block_time TIMESTAMPTZ, event_timestamp BIGINT) RETURNS TIMESTAMPTZ
LANGUAGE SQL IMMUTABLE PARALLEL SAFE
AS 'SELECT COALESCE(block_time, to_timestamp(CASE WHEN event_timestamp BETWEEN -99999999999 AND 99999999999 THEN event_timestamp END))';

-- A row is a trade, failed ones too.
--   block_time, time  time is the event's where block_time is NULL. Filter by block_time, which has an index.
--   price            after the trade, from the virtual reserves. NULL where the token reserves are 0.
--   execution_price  what the trade itself was made at, without fees. NULL where no tokens changed hands.
--   tokens           tokens that changed hands.
--   amount           quote that changed hands, without fees.
--   fees             fee + creator_fee + cashback, each 0 where it is absent. buyback_fee is part of fee, and
--                    holder_rewards is creator_fee by another name, so neither is added. NULL before layout V2, whose
--                    events name no fees.
--   total            what the user paid (buy: amount + fees) or got (sell: amount - fees). NULL where fees are.
CREATE OR REPLACE VIEW trade_prices AS
SELECT
    t.id,
    t.slot,
    t.block_time,
    event_time(t.block_time, t.event_timestamp) AS time,
    t.transaction_index,
    t.instruction_index,
    t.inner_instruction_index,
    t.signature,
    t.outer_program,
    t.failed,
    t.mint,
    t."user",
    t.is_buy,
    t.quote_mint,
    q.symbol AS quote_symbol,
    q.decimals AS quote_decimals,
    t.virtual_quote_reserves / NULLIF(t.virtual_token_reserves, 0) * q.unit * 1000000 AS price,
    t.quote_amount / NULLIF(t.token_amount, 0) * q.unit * 1000000 AS execution_price,
    t.token_amount * 0.000001 AS tokens,
    t.quote_amount * q.unit AS amount,
    (t.fee + COALESCE(t.creator_fee, 0) + COALESCE(t.cashback, 0)) * q.unit AS fees,
    CASE
        WHEN t.is_buy THEN t.quote_amount + (t.fee + COALESCE(t.creator_fee, 0) + COALESCE(t.cashback, 0))
        ELSE t.quote_amount - (t.fee + COALESCE(t.creator_fee, 0) + COALESCE(t.cashback, 0))
    END * q.unit AS total
FROM trades t
LEFT JOIN quote_units q ON q.mint = t.quote_mint;

-- Candles of all widths: a row is a width in seconds, a coin, a quote mint and a span of time with at least one trade.
-- Filter by seconds and mint. For other widths, add them to the list below and make a view as the three that follow.
--   bucket         start of the span, which is a multiple of the width since 1970 in UTC.
--   open, close    price after the first and the last trade of the span. high, low: the highest and the lowest of such
--                  prices. Trades without a price (token reserves of 0) are passed over, and NULL means that all were
--                  such, or that the quote mint is unknown. A Mayhem update moves the price without a trade and so
--                  without a mark here.
--   volume         quote that changed hands, without fees. NULL where the quote mint is unknown.
--   volume_tokens  tokens that changed hands.
--   buys, sells, trades  how many.
-- Arrays are compared item by item, so the least one of (place, price) holds the first price. That needs no sort.
CREATE OR REPLACE VIEW candles AS
SELECT
    c.seconds,
    c.mint,
    c.quote_mint,
    q.symbol AS quote_symbol,
    c.bucket,
    c.first[5] * q.unit * 1000000 AS open,
    c.high * q.unit * 1000000 AS high,
    c.low * q.unit * 1000000 AS low,
    c.last[5] * q.unit * 1000000 AS close,
    c.quote_amount * q.unit AS volume,
    c.token_amount * 0.000001 AS volume_tokens,
    c.buys,
    c.sells,
    c.trades
FROM (
    SELECT
        w.seconds,
        t.mint,
        t.quote_mint,
        to_timestamp(
            floor(extract(epoch FROM event_time(t.block_time, t.event_timestamp)) / w.seconds) * w.seconds
        ) AS bucket,
        min(ARRAY[t.slot, t.transaction_index, t.instruction_index, t.inner_instruction_index, t.price])
            FILTER (WHERE t.price IS NOT NULL) AS first,
        max(ARRAY[t.slot, t.transaction_index, t.instruction_index, t.inner_instruction_index, t.price])
            FILTER (WHERE t.price IS NOT NULL) AS last,
        max(t.price) AS high,
        min(t.price) AS low,
        sum(t.quote_amount) AS quote_amount,
        sum(t.token_amount) AS token_amount,
        count(*) FILTER (WHERE t.is_buy) AS buys,
        count(*) FILTER (WHERE NOT t.is_buy) AS sells,
        count(*) AS trades
    FROM (
        SELECT *, virtual_quote_reserves / NULLIF(virtual_token_reserves, 0) AS price
        FROM trades
        WHERE NOT failed
    ) t
    CROSS JOIN (VALUES (1), (60), (3600)) AS w (seconds)
    GROUP BY w.seconds, t.mint, t.quote_mint, bucket
) c
LEFT JOIN quote_units q ON q.mint = c.quote_mint;

-- A row is a coin, a quote mint and a second with at least one trade. Columns as in candles.
CREATE OR REPLACE VIEW candles_1s AS
SELECT mint, quote_mint, quote_symbol, bucket, open, high, low, close, volume, volume_tokens, buys, sells, trades
FROM candles
WHERE seconds = 1;

-- A row is a coin, a quote mint and a minute with at least one trade. Columns as in candles.
CREATE OR REPLACE VIEW candles_1m AS
SELECT mint, quote_mint, quote_symbol, bucket, open, high, low, close, volume, volume_tokens, buys, sells, trades
FROM candles
WHERE seconds = 60;

-- A row is a coin, a quote mint and an hour with at least one trade. Columns as in candles.
CREATE OR REPLACE VIEW candles_1h AS
SELECT mint, quote_mint, quote_symbol, bucket, open, high, low, close, volume, volume_tokens, buys, sells, trades
FROM candles
WHERE seconds = 3600;

-- A row is a coin, a quote mint and a day (UTC) with at least one trade on the curve.
--   buys, sells, trades  how many.
--   users          how many different users traded.
--   volume         quote that changed hands, without fees. NULL where the quote mint is unknown.
--   volume_tokens  tokens that changed hands.
CREATE OR REPLACE VIEW volume_by_mint_and_day AS
SELECT
    d.mint,
    d.quote_mint,
    q.symbol AS quote_symbol,
    d.day,
    d.buys,
    d.sells,
    d.trades,
    d.users,
    d.quote_amount * q.unit AS volume,
    d.token_amount * 0.000001 AS volume_tokens
FROM (
    SELECT
        mint,
        quote_mint,
        CAST(event_time(block_time, event_timestamp) AT TIME ZONE 'UTC' AS DATE) AS day,
        count(*) FILTER (WHERE is_buy) AS buys,
        count(*) FILTER (WHERE NOT is_buy) AS sells,
        count(*) AS trades,
        count(DISTINCT "user") AS users,
        sum(quote_amount) AS quote_amount,
        sum(token_amount) AS token_amount
    FROM trades
    WHERE NOT failed
    GROUP BY mint, quote_mint, day
) d
LEFT JOIN quote_units q ON q.mint = d.quote_mint;

-- A row is a user, a coin and a quote mint in which the user traded it.
--   tokens_bought, tokens_sold, tokens_net  net is bought - sold. It is no balance: tokens also move by transfers and,
--                   after the migration, by the AMM, and coins may be older than the data, so it can be negative.
--   quote_paid      for buys, with fees. quote_received: from sells, after fees. NULL where the quote mint is unknown.
--   realised_flow   received - paid: what the user is up or down in the quote, without what the tokens left are worth.
--   first_trade_time, last_trade_time
--   trades          how many, the buys of post_completion_buys too.
--   trades_without_fees  how many of them name no fees (before layout V2). Their amounts count without fees, so quote_paid
--                   is too small and quote_received too large by those (1 % then) where this is not 0.
-- It includes post_completion_buys: a buy that completes the curve goes on in the new pool, and what it buys there is in
-- that event only, beside its trade on the curve, so nothing counts twice. Its fees are taken to come on top of quote_in,
-- as they do in trades, with buyback_fee a part of fee. It names its quote mint itself.
CREATE OR REPLACE VIEW holder_flows AS
SELECT
    f."user",
    f.mint,
    f.quote_mint,
    q.symbol AS quote_symbol,
    f.bought * 0.000001 AS tokens_bought,
    f.sold * 0.000001 AS tokens_sold,
    (f.bought - f.sold) * 0.000001 AS tokens_net,
    f.paid * q.unit AS quote_paid,
    f.received * q.unit AS quote_received,
    (f.received - f.paid) * q.unit AS realised_flow,
    f.first_trade_time,
    f.last_trade_time,
    f.trades,
    f.trades_without_fees
FROM (
    SELECT
        "user",
        mint,
        quote_mint,
        COALESCE(sum(tokens) FILTER (WHERE is_buy), 0) AS bought,
        COALESCE(sum(tokens) FILTER (WHERE NOT is_buy), 0) AS sold,
        COALESCE(sum(amount + COALESCE(fees, 0)) FILTER (WHERE is_buy), 0) AS paid,
        COALESCE(sum(amount - COALESCE(fees, 0)) FILTER (WHERE NOT is_buy), 0) AS received,
        min(time) AS first_trade_time,
        max(time) AS last_trade_time,
        count(*) AS trades,
        count(*) FILTER (WHERE fees IS NULL) AS trades_without_fees
    FROM (
        SELECT
            "user",
            mint,
            quote_mint,
            is_buy,
            token_amount AS tokens,
            quote_amount AS amount,
            fee + COALESCE(creator_fee, 0) + COALESCE(cashback, 0) AS fees,
            event_time(block_time, event_timestamp) AS time
        FROM trades
        WHERE NOT failed
        UNION ALL
        SELECT
            "user",
            mint,
            quote_mint,
            TRUE,
            base_out,
            quote_in,
            fee + creator_fee,
            event_time(block_time, event_timestamp)
        FROM post_completion_buys
        WHERE NOT failed
    ) b
    GROUP BY "user", mint, quote_mint
) f
LEFT JOIN quote_units q ON q.mint = f.quote_mint;

-- A row is a creator and a quote mint: one in which the creator made a coin, earned fees or took them out.
--   coins_created    coins by their creation, whose creator it names (before V1: its user). A change of the creator does
--                    not move them.
--   coins_completed, coins_migrated  how many of those did.
--   fees_earned      creator_fee of the trades that name the creator. For coins that share it with shareholders or
--                    holders that is more than the creator keeps. Trades before layout V2 name neither.
--   fees_collected   what the creator took out of the curves' program. Fees of the AMM are in neither.
--                    Both are NULL where the quote mint is unknown, and 0 where there are none.
CREATE OR REPLACE VIEW creators AS
SELECT
    c.creator,
    c.quote_mint,
    q.symbol AS quote_symbol,
    c.coins_created,
    c.coins_completed,
    c.coins_migrated,
    c.fees_earned * q.unit AS fees_earned,
    c.fees_collected * q.unit AS fees_collected
FROM (
    SELECT
        creator,
        quote_mint,
        CAST(sum(created) AS BIGINT) AS coins_created,
        CAST(sum(completed) AS BIGINT) AS coins_completed,
        CAST(sum(migrated) AS BIGINT) AS coins_migrated,
        sum(earned) AS fees_earned,
        sum(collected) AS fees_collected
    FROM (
        SELECT
            COALESCE(n.creator, n."user") AS creator,
            COALESCE(n.quote_mint, '11111111111111111111111111111111') AS quote_mint,
            1 AS created,
            CASE WHEN EXISTS (SELECT FROM completions e WHERE e.mint = n.mint AND NOT e.failed) THEN 1 ELSE 0 END AS completed,
            CASE WHEN EXISTS (SELECT FROM migrations m WHERE m.mint = n.mint AND NOT m.failed) THEN 1 ELSE 0 END AS migrated,
            CAST(0 AS NUMERIC) AS earned,
            CAST(0 AS NUMERIC) AS collected
        FROM creations n
        WHERE NOT n.failed
        UNION ALL
        SELECT creator, quote_mint, 0, 0, 0, COALESCE(creator_fee, 0), 0
        FROM trades
        WHERE NOT failed AND creator IS NOT NULL
        UNION ALL
        SELECT creator, COALESCE(quote_mint, '11111111111111111111111111111111'), 0, 0, 0, 0, creator_fee
        FROM fee_collections
        WHERE NOT failed
    ) p
    GROUP BY creator, quote_mint
) c
LEFT JOIN quote_units q ON q.mint = c.quote_mint;

-- A row is a coin: one that was created, traded, completed or migrated within the data.
--   name, symbol, uri, creation_id, created_at  of its creation. NULL where the coin is older than the data. created_at is
--                    also NULL where neither block nor event says the time.
--   creator          who is it now: of the last creator change, else of the creation (before V1: its user), else of the
--                    last trade, which may name one.
--   quote_mint       of the last trade, else of the creation, the completion or the migration.
--   first_trade_time, last_trade_time  on the curve. NULL without trades.
--   trades           how many on the curve, in any quote mint.
--   last_price       after the last trade. NULL without trades, with token reserves of 0 or an unknown quote mint.
--   volume           quote that changed hands on the curve, without fees, in quote_mint only: amounts in different quotes
--                    do not add up. NULL where the quote mint is unknown, 0 without trades.
--   completed_at, migrated_at  NULL where that did not happen within the data.
--   pool             its pool of the AMM. NULL before the migration.
-- The id of a row is made of its place, so the place of the last trade finds it.
CREATE OR REPLACE VIEW coins AS
SELECT
    k.mint,
    n.name,
    n.symbol,
    n.uri,
    COALESCE(h.new_creator, n.creator, n."user", l.creator) AS creator,
    COALESCE(t.quote_mint, n.quote_mint, e.quote_mint, m.quote_mint, '11111111111111111111111111111111') AS quote_mint,
    q.symbol AS quote_symbol,
    n.id AS creation_id,
    event_time(n.block_time, n.event_timestamp) AS created_at,
    t.first_trade_time,
    t.last_trade_time,
    COALESCE(t.trades, 0) AS trades,
    l.virtual_quote_reserves / NULLIF(l.virtual_token_reserves, 0) * q.unit * 1000000 AS last_price,
    COALESCE(t.quote_amount, 0) * q.unit AS volume,
    event_time(e.block_time, e.event_timestamp) AS completed_at,
    event_time(m.block_time, m.event_timestamp) AS migrated_at,
    m.pool
FROM (
    SELECT mint FROM creations WHERE NOT failed
    UNION
    SELECT mint FROM trades WHERE NOT failed
    UNION
    SELECT mint FROM completions WHERE NOT failed
    UNION
    SELECT mint FROM migrations WHERE NOT failed
) k
LEFT JOIN (
    SELECT DISTINCT ON (mint) *
    FROM creations
    WHERE NOT failed
    ORDER BY mint, slot, transaction_index, instruction_index, inner_instruction_index
) n ON n.mint = k.mint
LEFT JOIN (
    SELECT DISTINCT ON (mint) *
    FROM creator_changes
    WHERE NOT failed
    ORDER BY mint, slot DESC, transaction_index DESC, instruction_index DESC, inner_instruction_index DESC
) h ON h.mint = k.mint
LEFT JOIN (
    SELECT DISTINCT ON (mint) *
    FROM completions
    WHERE NOT failed
    ORDER BY mint, slot, transaction_index, instruction_index, inner_instruction_index
) e ON e.mint = k.mint
LEFT JOIN (
    SELECT DISTINCT ON (mint) *
    FROM migrations
    WHERE NOT failed
    ORDER BY mint, slot, transaction_index, instruction_index, inner_instruction_index
) m ON m.mint = k.mint
LEFT JOIN (
    SELECT DISTINCT ON (mint)
        mint,
        quote_mint,
        quote_amount,
        last,
        CAST(sum(trades) OVER coin AS BIGINT) AS trades,
        min(first_trade_time) OVER coin AS first_trade_time,
        max(last_trade_time) OVER coin AS last_trade_time
    FROM (
        SELECT
            mint,
            quote_mint,
            sum(quote_amount) AS quote_amount,
            max(ARRAY[slot, transaction_index, instruction_index, inner_instruction_index]) AS last,
            count(*) AS trades,
            min(event_time(block_time, event_timestamp)) AS first_trade_time,
            max(event_time(block_time, event_timestamp)) AS last_trade_time
        FROM trades
        WHERE NOT failed
        GROUP BY mint, quote_mint
    ) b
    WINDOW coin AS (PARTITION BY mint)
    ORDER BY mint, last DESC
) t ON t.mint = k.mint
LEFT JOIN trades l ON l.id = array_to_string(t.last, '-')
LEFT JOIN quote_units q
    ON q.mint = COALESCE(t.quote_mint, n.quote_mint, e.quote_mint, m.quote_mint, '11111111111111111111111111111111');
