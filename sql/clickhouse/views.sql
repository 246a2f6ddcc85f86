-- Views over the tables of rows. They hold for all of them:
--   Only what took effect counts: rows of failed transactions are left out, but for trade_prices, which shows them.
--   Amounts are whole units, such as SOL and tokens, not lamports, as exact Decimal. Prices are quote units per token, as
--   Float64.
--   A quote mint that the table quotes does not have gives NULL for its symbol, its decimals and all that is counted in
--   it. Add it there, and the views are right.
--   SOL (the zero key) and wrapped SOL are two quote mints, as the events name them, and so two rows where a row is one
--   per quote mint.
--   Times are those of the block, or of the event where the block has none, in UTC.
--   Order is that of the chain: slot, transaction, instruction, inner instruction.
--   Tables are read with FINAL, so that rows that were written twice count once. There is no materialized view that
--   counts trades: it would count them twice.
--   A left join of ClickHouse fills what it does not find with 0 or '', so what it brings is made Nullable first.
--   The database must not have the name of an alias in here, which are single letters.

-- Mints that coins are priced in: a row is one, with its decimals. Add what is missing.
CREATE TABLE IF NOT EXISTS quotes (
    mint String,
    symbol String,
    decimals UInt8,
    CONSTRAINT decimals_in_range CHECK decimals <= 18
)
ENGINE = ReplacingMergeTree
ORDER BY mint;

INSERT INTO quotes (mint, symbol, decimals)
SELECT known.1 AS mint, known.2 AS symbol, known.3 AS decimals
FROM (
    SELECT arrayJoin([
        ('11111111111111111111111111111111', 'SOL', 9),
        ('So11111111111111111111111111111111111111112', 'WSOL', 9),
        ('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'USDC', 6),
        ('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', 'USDT', 6),
        ('USD1ttGY1N17NEEHLmELoaybftRBUSErhqYiQzUEmuB', 'USD1', 6)
    ]) AS known
)
WHERE mint NOT IN (SELECT mint FROM quotes);

-- A row is a quote mint. unit is its smallest unit, in whole ones: 0.000000001 for SOL. An amount times unit is exact.
CREATE OR REPLACE VIEW quote_units AS
SELECT
    mint,
    toNullable(symbol) AS symbol,
    toNullable(decimals) AS decimals,
    toNullable(toDecimal256(1, 18) / intExp10(decimals)) AS unit
FROM quotes FINAL;

-- A row is a trade, failed ones too.
--   block_time, time  time is the event's where block_time is NULL. Filter by mint, or by slot within a partition; by user see
--                     trades_by_user in tables.sql.
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
    t.id AS id,
    t.slot AS slot,
    t.block_time AS block_time,
    ifNull(t.block_time, toDateTime(t.event_timestamp, 'UTC')) AS time,
    t.transaction_index AS transaction_index,
    t.instruction_index AS instruction_index,
    t.inner_instruction_index AS inner_instruction_index,
    t.signature AS signature,
    t.outer_program AS outer_program,
    t.failed AS failed,
    t.mint AS mint,
    t.user AS user,
    t.is_buy AS is_buy,
    t.quote_mint AS quote_mint,
    q.symbol AS quote_symbol,
    q.decimals AS quote_decimals,
    t.virtual_quote_reserves / nullIf(t.virtual_token_reserves, 0) * toFloat64(q.unit) * 1000000 AS price,
    t.quote_amount / nullIf(t.token_amount, 0) * toFloat64(q.unit) * 1000000 AS execution_price,
    toDecimal256(t.token_amount, 6) / 1000000 AS tokens,
    toDecimal256(t.quote_amount, 0) * q.unit AS amount,
    t.raw_fees * q.unit AS fees,
    if(t.is_buy, toDecimal256(t.quote_amount, 0) + t.raw_fees, toDecimal256(t.quote_amount, 0) - t.raw_fees) * q.unit AS total
FROM (
    SELECT *, toDecimal256(fee, 0) + ifNull(creator_fee, 0) + ifNull(cashback, 0) AS raw_fees
    FROM trades FINAL
) AS t
LEFT JOIN quote_units AS q ON q.mint = t.quote_mint;

-- Candles of any width: candles(seconds = 300) has those of five minutes. A row is a coin, a quote mint and a span of
-- time with at least one trade. Filter by mint.
--   bucket         start of the span, which is a multiple of the width since 1970 in UTC.
--   open, close    price after the first and the last trade of the span. high, low: the highest and the lowest of such
--                  prices. Trades without a price (token reserves of 0) are passed over, and NULL means that all were
--                  such, or that the quote mint is unknown. A Mayhem update moves the price without a trade and so
--                  without a mark here.
--   volume         quote that changed hands, without fees. NULL where the quote mint is unknown.
--   volume_tokens  tokens that changed hands.
--   buys, sells, trades  how many.
-- Sums are made in UInt128: those of UInt64 can overflow.
CREATE OR REPLACE VIEW candles AS
SELECT
    c.mint AS mint,
    c.quote_mint AS quote_mint,
    q.symbol AS quote_symbol,
    c.bucket AS bucket,
    c.first_price * toFloat64(q.unit) * 1000000 AS open,
    c.high_price * toFloat64(q.unit) * 1000000 AS high,
    c.low_price * toFloat64(q.unit) * 1000000 AS low,
    c.last_price * toFloat64(q.unit) * 1000000 AS close,
    toDecimal256(c.quote_sum, 0) * q.unit AS volume,
    toDecimal256(c.token_sum, 6) / 1000000 AS volume_tokens,
    c.buys AS buys,
    c.sells AS sells,
    c.trades AS trades
FROM (
    SELECT
        mint,
        quote_mint,
        toDateTime(intDiv(toInt64(time), {seconds:UInt32}) * {seconds:UInt32}, 'UTC') AS bucket,
        argMin(price, place) AS first_price,
        argMax(price, place) AS last_price,
        max(price) AS high_price,
        min(price) AS low_price,
        sum(toUInt128(quote_amount)) AS quote_sum,
        sum(toUInt128(token_amount)) AS token_sum,
        countIf(is_buy) AS buys,
        countIf(NOT is_buy) AS sells,
        count() AS trades
    FROM (
        SELECT
            mint,
            quote_mint,
            is_buy,
            quote_amount,
            token_amount,
            ifNull(block_time, toDateTime(event_timestamp, 'UTC')) AS time,
            (slot, transaction_index, instruction_index, inner_instruction_index) AS place,
            virtual_quote_reserves / nullIf(virtual_token_reserves, 0) AS price
        FROM trades FINAL
        WHERE NOT failed
    )
    GROUP BY mint, quote_mint, bucket
) AS c
LEFT JOIN quote_units AS q ON q.mint = c.quote_mint;

-- A row is a coin, a quote mint and a second with at least one trade. Columns as in candles.
CREATE OR REPLACE VIEW candles_1s AS
SELECT * FROM candles(seconds = 1);

-- A row is a coin, a quote mint and a minute with at least one trade. Columns as in candles.
CREATE OR REPLACE VIEW candles_1m AS
SELECT * FROM candles(seconds = 60);

-- A row is a coin, a quote mint and an hour with at least one trade. Columns as in candles.
CREATE OR REPLACE VIEW candles_1h AS
SELECT * FROM candles(seconds = 3600);

-- A row is a coin, a quote mint and a day (UTC) with at least one trade on the curve.
--   buys, sells, trades  how many.
--   users          how many different users traded.
--   volume         quote that changed hands, without fees. NULL where the quote mint is unknown.
--   volume_tokens  tokens that changed hands.
CREATE OR REPLACE VIEW volume_by_mint_and_day AS
SELECT
    d.mint AS mint,
    d.quote_mint AS quote_mint,
    q.symbol AS quote_symbol,
    d.day AS day,
    d.buys AS buys,
    d.sells AS sells,
    d.trades AS trades,
    d.users AS users,
    toDecimal256(d.quote_sum, 0) * q.unit AS volume,
    toDecimal256(d.token_sum, 6) / 1000000 AS volume_tokens
FROM (
    SELECT
        mint,
        quote_mint,
        toDate(ifNull(block_time, toDateTime(event_timestamp, 'UTC')), 'UTC') AS day,
        countIf(is_buy) AS buys,
        countIf(NOT is_buy) AS sells,
        count() AS trades,
        uniqExact(user) AS users,
        sum(toUInt128(quote_amount)) AS quote_sum,
        sum(toUInt128(token_amount)) AS token_sum
    FROM trades FINAL
    WHERE NOT failed
    GROUP BY mint, quote_mint, day
) AS d
LEFT JOIN quote_units AS q ON q.mint = d.quote_mint;

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
    f.user AS user,
    f.mint AS mint,
    f.quote_mint AS quote_mint,
    q.symbol AS quote_symbol,
    toDecimal256(f.bought, 6) / 1000000 AS tokens_bought,
    toDecimal256(f.sold, 6) / 1000000 AS tokens_sold,
    (toDecimal256(f.bought, 6) - toDecimal256(f.sold, 6)) / 1000000 AS tokens_net,
    toDecimal256(f.paid, 0) * q.unit AS quote_paid,
    toDecimal256(f.received, 0) * q.unit AS quote_received,
    (toDecimal256(f.received, 0) - toDecimal256(f.paid, 0)) * q.unit AS realised_flow,
    f.first_trade_time AS first_trade_time,
    f.last_trade_time AS last_trade_time,
    f.trades AS trades,
    f.trades_without_fees AS trades_without_fees
FROM (
    SELECT
        user,
        mint,
        quote_mint,
        sumIf(tokens, is_buy) AS bought,
        sumIf(tokens, NOT is_buy) AS sold,
        sumIf(amount + ifNull(fees, 0), is_buy) AS paid,
        sumIf(amount - ifNull(fees, 0), NOT is_buy) AS received,
        min(time) AS first_trade_time,
        max(time) AS last_trade_time,
        count() AS trades,
        countIf(fees IS NULL) AS trades_without_fees
    FROM (
        SELECT
            user,
            mint,
            quote_mint,
            is_buy,
            toInt128(token_amount) AS tokens,
            toInt128(quote_amount) AS amount,
            toInt128(fee) + toInt128(ifNull(creator_fee, 0)) + toInt128(ifNull(cashback, 0)) AS fees,
            ifNull(block_time, toDateTime(event_timestamp, 'UTC')) AS time
        FROM trades FINAL
        WHERE NOT failed
        UNION ALL
        SELECT
            user,
            mint,
            quote_mint,
            true AS is_buy,
            toInt128(base_out) AS tokens,
            toInt128(quote_in) AS amount,
            toNullable(toInt128(fee) + toInt128(creator_fee)) AS fees,
            ifNull(block_time, toDateTime(event_timestamp, 'UTC')) AS time
        FROM post_completion_buys FINAL
        WHERE NOT failed
    )
    GROUP BY user, mint, quote_mint
) AS f
LEFT JOIN quote_units AS q ON q.mint = f.quote_mint;

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
    c.creator AS creator,
    c.quote_mint AS quote_mint,
    q.symbol AS quote_symbol,
    c.coins_created AS coins_created,
    c.coins_completed AS coins_completed,
    c.coins_migrated AS coins_migrated,
    toDecimal256(c.earned_sum, 0) * q.unit AS fees_earned,
    toDecimal256(c.collected_sum, 0) * q.unit AS fees_collected
FROM (
    SELECT
        creator,
        quote_mint,
        sum(created) AS coins_created,
        sum(completed) AS coins_completed,
        sum(migrated) AS coins_migrated,
        sum(earned) AS earned_sum,
        sum(collected) AS collected_sum
    FROM (
        SELECT
            toNullable(ifNull(n.creator, n.user)) AS creator,
            ifNull(n.quote_mint, '11111111111111111111111111111111') AS quote_mint,
            1 AS created,
            n.mint IN (SELECT mint FROM completions WHERE NOT failed) AS completed,
            n.mint IN (SELECT mint FROM migrations WHERE NOT failed) AS migrated,
            toUInt128(0) AS earned,
            toUInt128(0) AS collected
        FROM creations AS n FINAL
        WHERE NOT n.failed
        UNION ALL
        SELECT
            t.creator AS creator,
            t.quote_mint AS quote_mint,
            0 AS created,
            0 AS completed,
            0 AS migrated,
            toUInt128(ifNull(t.creator_fee, 0)) AS earned,
            toUInt128(0) AS collected
        FROM trades AS t FINAL
        WHERE NOT t.failed AND t.creator IS NOT NULL
        UNION ALL
        SELECT
            toNullable(f.creator) AS creator,
            ifNull(f.quote_mint, '11111111111111111111111111111111') AS quote_mint,
            0 AS created,
            0 AS completed,
            0 AS migrated,
            toUInt128(0) AS earned,
            toUInt128(f.creator_fee) AS collected
        FROM fee_collections AS f FINAL
        WHERE NOT f.failed
    )
    GROUP BY creator, quote_mint
) AS c
LEFT JOIN quote_units AS q ON q.mint = c.quote_mint;

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
CREATE OR REPLACE VIEW coins AS
SELECT
    k.mint AS mint,
    k.name AS name,
    k.symbol AS symbol,
    k.uri AS uri,
    k.creator AS creator,
    k.quote_mint AS quote_mint,
    q.symbol AS quote_symbol,
    k.creation_id AS creation_id,
    k.created_at AS created_at,
    k.first_trade_time AS first_trade_time,
    k.last_trade_time AS last_trade_time,
    k.trades AS trades,
    k.last_price * toFloat64(q.unit) * 1000000 AS last_price,
    toDecimal256(k.quote_sum, 0) * q.unit AS volume,
    k.completed_at AS completed_at,
    k.migrated_at AS migrated_at,
    k.pool AS pool
FROM (
    SELECT
        a.mint AS mint,
        n.name AS name,
        n.symbol AS symbol,
        n.uri AS uri,
        coalesce(h.new_creator, n.creator, t.creator) AS creator,
        coalesce(t.quote_mint, n.quote_mint, e.quote_mint, m.quote_mint, '11111111111111111111111111111111') AS quote_mint,
        n.id AS creation_id,
        n.created_at AS created_at,
        t.first_trade_time AS first_trade_time,
        t.last_trade_time AS last_trade_time,
        ifNull(t.trades, 0) AS trades,
        t.last_price AS last_price,
        ifNull(t.quote_sum, 0) AS quote_sum,
        e.completed_at AS completed_at,
        m.migrated_at AS migrated_at,
        m.pool AS pool
    FROM (
        SELECT mint FROM creations WHERE NOT failed
        UNION DISTINCT
        SELECT mint FROM trades WHERE NOT failed
        UNION DISTINCT
        SELECT mint FROM completions WHERE NOT failed
        UNION DISTINCT
        SELECT mint FROM migrations WHERE NOT failed
    ) AS a
    LEFT JOIN (
        SELECT
            c.mint AS mint,
            argMin(
                (
                    c.id, c.name, c.symbol, c.uri, ifNull(c.creator, c.user), c.quote_mint,
                    ifNull(c.block_time, toDateTime(c.event_timestamp, 'UTC'))
                ),
                (c.slot, c.transaction_index, c.instruction_index, c.inner_instruction_index)
            ) AS found,
            toNullable(found.1) AS id,
            toNullable(found.2) AS name,
            toNullable(found.3) AS symbol,
            toNullable(found.4) AS uri,
            toNullable(found.5) AS creator,
            found.6 AS quote_mint,
            found.7 AS created_at
        FROM creations AS c FINAL
        WHERE NOT c.failed
        GROUP BY c.mint
    ) AS n ON n.mint = a.mint
    LEFT JOIN (
        SELECT
            c.mint AS mint,
            toNullable(argMax(c.new_creator, (c.slot, c.transaction_index, c.instruction_index, c.inner_instruction_index))) AS new_creator
        FROM creator_changes AS c FINAL
        WHERE NOT c.failed
        GROUP BY c.mint
    ) AS h ON h.mint = a.mint
    LEFT JOIN (
        SELECT
            c.mint AS mint,
            argMin(
                (c.quote_mint, ifNull(c.block_time, toDateTime(c.event_timestamp, 'UTC'))),
                (c.slot, c.transaction_index, c.instruction_index, c.inner_instruction_index)
            ) AS found,
            found.1 AS quote_mint,
            toNullable(found.2) AS completed_at
        FROM completions AS c FINAL
        WHERE NOT c.failed
        GROUP BY c.mint
    ) AS e ON e.mint = a.mint
    LEFT JOIN (
        SELECT
            c.mint AS mint,
            argMin(
                (c.quote_mint, ifNull(c.block_time, toDateTime(c.event_timestamp, 'UTC')), c.pool),
                (c.slot, c.transaction_index, c.instruction_index, c.inner_instruction_index)
            ) AS found,
            found.1 AS quote_mint,
            toNullable(found.2) AS migrated_at,
            toNullable(found.3) AS pool
        FROM migrations AS c FINAL
        WHERE NOT c.failed
        GROUP BY c.mint
    ) AS m ON m.mint = a.mint
    LEFT JOIN (
        SELECT
            b.mint AS mint,
            argMax((b.quote_mint, b.last.1, b.last.2, b.quote_sum), b.place) AS found,
            toNullable(found.1) AS quote_mint,
            found.2 AS last_price,
            found.3 AS creator,
            toNullable(found.4) AS quote_sum,
            toNullable(sum(b.trades)) AS trades,
            toNullable(min(b.first_time)) AS first_trade_time,
            toNullable(max(b.last_time)) AS last_trade_time
        FROM (
            SELECT
                mint,
                quote_mint,
                max((slot, transaction_index, instruction_index, inner_instruction_index)) AS place,
                argMax(
                    (virtual_quote_reserves / nullIf(virtual_token_reserves, 0), creator),
                    (slot, transaction_index, instruction_index, inner_instruction_index)
                ) AS last,
                sum(toUInt128(quote_amount)) AS quote_sum,
                count() AS trades,
                min(ifNull(block_time, toDateTime(event_timestamp, 'UTC'))) AS first_time,
                max(ifNull(block_time, toDateTime(event_timestamp, 'UTC'))) AS last_time
            FROM trades FINAL
            WHERE NOT failed
            GROUP BY mint, quote_mint
        ) AS b
        GROUP BY b.mint
    ) AS t ON t.mint = a.mint
) AS k
LEFT JOIN quote_units AS q ON q.mint = k.quote_mint;
