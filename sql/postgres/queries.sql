-- Examples. Put your own mint in the place of a subquery that picks one.

-- The last 20 trades of a coin, newest first.
SELECT time, "user", is_buy, tokens, amount, fees, total, price, quote_symbol, signature
FROM trade_prices
WHERE NOT failed AND mint = (SELECT mint FROM trades WHERE NOT failed AND block_time = (SELECT max(block_time) FROM trades) LIMIT 1)
ORDER BY slot DESC, transaction_index DESC, instruction_index DESC, inner_instruction_index DESC
LIMIT 20;

-- The 20 coins with the most volume in SOL on the newest day (UTC) of the data, with their symbols.
SELECT v.mint, c.symbol, v.trades, v.users, v.volume
FROM (
    SELECT mint, count(*) AS trades, count(DISTINCT "user") AS users, sum(amount) AS volume
    FROM trade_prices
    WHERE NOT failed
        AND quote_symbol = 'SOL'
        AND block_time >= (SELECT date_trunc('day', max(block_time), 'UTC') FROM trades)
    GROUP BY mint
    ORDER BY volume DESC, mint
    LIMIT 20
) v
LEFT JOIN creations c ON c.mint = v.mint AND NOT c.failed
ORDER BY v.volume DESC, v.mint;

-- Minute candles of the coin with the most trades.
SELECT bucket, open, high, low, close, volume, buys, sells, quote_symbol
FROM candles_1m
WHERE mint = (SELECT mint FROM trades WHERE NOT failed GROUP BY mint ORDER BY count(*) DESC, mint LIMIT 1)
ORDER BY bucket, quote_mint;

-- The ten best and the ten worst traders of that coin, by what they took out less what they put in.
SELECT place_from_best, place_from_worst, "user", quote_symbol, realised_flow, quote_paid, quote_received, tokens_net, trades
FROM (
    SELECT
        *,
        row_number() OVER (ORDER BY realised_flow DESC, "user") AS place_from_best,
        row_number() OVER (ORDER BY realised_flow, "user") AS place_from_worst
    FROM holder_flows
    WHERE realised_flow IS NOT NULL
        AND mint = (SELECT mint FROM trades WHERE NOT failed GROUP BY mint ORDER BY count(*) DESC, mint LIMIT 1)
) h
WHERE place_from_best <= 10 OR place_from_worst <= 10
ORDER BY place_from_best;

-- The life of the newest 20 coins of the data. The view is asked coin by coin, by its indexes: OFFSET 0 keeps the planner
-- from joining all coins first, as it does for mint IN (SELECT ...).
SELECT c.created_at, c.mint, c.name, c.symbol, c.creator, c.trades, c.last_price, c.volume, c.completed_at, c.migrated_at, c.pool
FROM (SELECT mint FROM creations WHERE NOT failed ORDER BY slot DESC, mint LIMIT 20) n
CROSS JOIN LATERAL (SELECT * FROM coins WHERE coins.mint = n.mint OFFSET 0) c
ORDER BY c.created_at DESC NULLS LAST, c.mint;

-- Drift: trades with bytes behind the newest layout that is known. No row is good news.
SELECT layout, unknown_trailing_bytes, count(*) AS trades, min(slot) AS first_slot, max(slot) AS last_slot, min(id) AS example
FROM trades
WHERE unknown_trailing_bytes > 0
GROUP BY layout, unknown_trailing_bytes
ORDER BY first_slot, example;

-- Drift: events that could not be read or are unknown, by reason. An empty reason is an event that is known and has no
-- table of its own.
SELECT reason, event_name, discriminator, count(*) AS events, max(slot) AS last_slot, max(id) AS example
FROM raw_events
WHERE reason <> ''
GROUP BY reason, event_name, discriminator
ORDER BY events DESC, example;
