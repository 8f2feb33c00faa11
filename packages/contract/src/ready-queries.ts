/** Queries for the most frequent questions: a click fills the editor and runs them. */

export interface ReadyQuery {
  readonly title: string;
  readonly sql: string;
}

/** Percentiles that equal the app's: `quantile_cont` is linear between neighbors. */
const percentiles = (column: string): string =>
  [0.5, 0.95, 0.99]
    .map((share) => `       quantile_cont(${column}, ${share}) AS p${100 * share},`)
    .join("\n");

/**
 * Stored figures of a capture, as the app shows them: over many captures, percentiles of their rows would take seconds.
 */
const KEPT = "p50_us AS p50, p95_us AS p95, p99_us AS p99, max_us AS max";

/** End of the bucket in the table histograms that reaches the rank of each percentile. */
const COUNTED = [0.5, 0.95, 0.99]
  .map((share) => `       min(up_to_us) FILTER (so_far >= ${share} * total) AS p${100 * share},`)
  .join("\n");

/** Over the tables of one capture. */
export const CAPTURE_QUERIES: readonly ReadyQuery[] = [
  {
    title: "Remote harden per 5 s and replica",
    sql: `-- Remote harden, every 5 s: is a replica slow all the time, or for a while?
SELECT time_bucket(INTERVAL '5 s', utc) AS at,
       replica,
       count(*) AS blocks,
${percentiles("remote_harden_us")}
       max(remote_harden_us) AS max
FROM hops
WHERE complete
GROUP BY ALL ORDER BY ALL`,
  },
  {
    title: "Log writes per 5 s and replica",
    sql: `-- Log writes per replica, every 5 s: is one replica slower all the time?
SELECT time_bucket(INTERVAL '5 s', utc) AS at,
       replica,
       count(*) AS writes,
${percentiles("log_write_us")}
       max(log_write_us) AS max,
       count(*) FILTER (log_write_us > 50000) AS over_50_ms
FROM hops
WHERE complete
GROUP BY ALL ORDER BY ALL`,
  },
  {
    title: "Blocks over 50 ms, with commits",
    sql: `-- Blocks that took over 50 ms to be hardened remotely, and the commits that waited for them
SELECT h.utc, h.block, h.replica, b.lsn, b.size_bytes AS size,
       h.remote_harden_us AS remote_harden,
       h.log_write_us AS log_write,
       h.network_round_trip_us AS network,
       b.commits,
       max(c.latency_us) AS slowest_commit
FROM hops h
JOIN blocks b USING (capture, block)
LEFT JOIN commits c USING (capture, block)
WHERE h.remote_harden_us > 50000
GROUP BY ALL
ORDER BY remote_harden DESC`,
  },
  {
    title: "Releases of commits per hour",
    sql: `-- Which replica, or the local log write, let commits end; and how long they took
SELECT time_bucket(INTERVAL '1 hour', utc) AS at,
       gate,
       count(*) AS commits,
${percentiles("latency_us")}
       max(latency_us) AS max
FROM commits
GROUP BY ALL ORDER BY ALL`,
  },
  {
    title: "Write size against write time",
    sql: `-- Log writes by the block's size: a disk that is slow for small writes is not short of bandwidth
SELECT b.size_bytes AS size,
       h.replica,
       count(*) AS writes,
${percentiles("h.log_write_us")}
       max(h.log_write_us) AS max
FROM hops h
JOIN blocks b USING (capture, block)
WHERE h.log_write_us IS NOT NULL
GROUP BY ALL ORDER BY ALL`,
  },
  {
    title: "Flow control, when and how long",
    sql: `-- How long blocks lay in the log pool before they were captured for a replica: flow control stops that
SELECT time_bucket(INTERVAL '5 s', utc) AS at,
       replica,
       count(*) AS blocks,
${percentiles("capture_lag_us")}
       max(capture_lag_us) AS max,
       count(*) FILTER (capture_lag_us > 50000) AS over_50_ms
FROM hops
WHERE capture_lag_us IS NOT NULL
GROUP BY ALL ORDER BY ALL`,
  },
  {
    title: "Commits per database",
    sql: `-- Commits of each database, and their wake-up time after the release
SELECT database,
       count(*) AS commits,
${percentiles("latency_us")}
       max(latency_us) AS max,
       quantile_cont(wake_up_us, 0.95) AS wake_up_p95
FROM commits
GROUP BY ALL ORDER BY commits DESC`,
  },
  {
    title: "Who waited",
    sql: `-- Commits by application: sum of their waits and their share of all, as the screen Waiting shows them
SELECT coalesce(application, '(no application name)') AS application,
       count(DISTINCT session_id) FILTER (session_id > 0) AS sessions,
       count(*) AS commits,
       sum(latency_us) AS wait,
       sum(latency_us) / sum(sum(latency_us)) OVER () AS wait_share,
       quantile_cont(latency_us, 0.5) AS p50,
       quantile_cont(latency_us, 0.95) AS p95
FROM commits
GROUP BY ALL ORDER BY wait DESC`,
  },
  {
    title: "What happened",
    sql: `-- Events in the capture's other files, such as ERRORLOG and AlwaysOn_health, on the primary's clock
SELECT utc, server, kind, ag, database, text, failover_cause,
       at_uncertainty_us AS uncertainty,
       sources
FROM evidence_events
ORDER BY utc`,
  },
  {
    title: "Slow commits, and what happened",
    sql: `-- Commits over 50 ms, and events of the servers in the same seconds: near in time, not always the cause
SELECT m.utc, m.database, m.gate,
       m.latency_us AS latency,
       e.utc AS event_utc, e.server, e.kind, e.text,
       m.block
FROM commits m
JOIN evidence_events e
  ON e.capture = m.capture
  AND floor(e."at" / 1e6) BETWEEN floor(m.start / 1e6) AND floor(m."end" / 1e6)
WHERE m.latency_us > 50000
ORDER BY latency DESC, event_utc
LIMIT 1000`,
  },
  {
    title: "Gaps over 1 s without a block",
    sql: `-- Periods of more than a second in which no log block began: idle, or unresponsive?
SELECT capture, utc AS ended, block, gap
FROM (
  SELECT capture, utc, block,
         utc - lag(utc) OVER (PARTITION BY capture ORDER BY utc) AS gap
  FROM blocks
)
WHERE gap > INTERVAL '1 s'
ORDER BY ended`,
  },
  {
    title: "Slowest 20 commits",
    sql: `SELECT utc, database, gate, block,
       latency_us AS latency,
       wake_up_us AS wake_up
FROM commits
ORDER BY latency_us DESC NULLS LAST
LIMIT 20`,
  },
  {
    title: "Clock offset over time",
    sql: `-- How far each server's clock is from the one it is compared with, and how wrong that can be
SELECT utc, replica, against,
       offset_us AS "offset",
       drift_ppm,
       bound_us AS bound
FROM clocks
ORDER BY utc`,
  },
  {
    title: "Group commit: commits per block",
    sql: `-- How many commits share a log block, and what that does to blocks and their writes
SELECT commits,
       count(*) AS blocks,
       avg(size_bytes) AS mean_size,
${percentiles("log_write_us")}
       max(log_write_us) AS max
FROM blocks
GROUP BY ALL ORDER BY ALL`,
  },
  {
    title: "Where the time goes, per replica",
    sql: `-- Each stage of remote harden: its share of the whole, and how long it takes
WITH parts AS (
  SELECT replica, remote_harden_us,
         unnest(['1 capture and send', '2 network out', '3 receive and append', '4 log write',
                 '5 acknowledge', '6 network back', '7 ack receive']) AS stage,
         unnest([send_us, network_out_us, append_us, log_write_us,
                 ack_build_us + ack_send_us, network_back_us, ack_receive_us]) AS took_us
  FROM hops
  WHERE complete
)
SELECT stage, replica,
       sum(took_us) / sum(remote_harden_us) AS of_harden_share,
${percentiles("took_us")}
       max(took_us) AS max
FROM parts
GROUP BY ALL ORDER BY ALL`,
  },
  {
    title: "Log written per 5 s",
    sql: `-- How busy the log was
SELECT time_bucket(INTERVAL '5 s', utc) AS at,
       sum(size_bytes) AS written,
       count(*) AS blocks,
       avg(size_bytes) AS mean_size
FROM blocks
GROUP BY ALL ORDER BY ALL`,
  },
  {
    title: "Findings",
    sql: `SELECT rank, severity, cause, replica, share, sentence
FROM findings
ORDER BY rank`,
  },
];

/** Over all captures that one may see. */
export const ALL_QUERIES: readonly ReadyQuery[] = [
  {
    title: "Captures, slowest first",
    sql: `SELECT begun, name, commit_p95_us AS commit_p95, place, verdict, capture
FROM captures
ORDER BY commit_p95 DESC NULLS LAST`,
  },
  {
    title: "Remote harden per capture and replica",
    sql: `-- Remote harden night by night: what has changed?
SELECT begun, name, replica, count AS blocks, ${KEPT}, over_50_ms, capture
FROM stages
JOIN captures USING (capture)
WHERE rows_of = 'hops' AND stage = 'remote_harden' AND database IS NULL
ORDER BY begun, replica`,
  },
  {
    title: "Log writes per capture and replica",
    sql: `-- Log writes of the secondaries (rows_of = 'blocks': those of the primary)
SELECT begun, name, replica, count AS writes, ${KEPT}, over_50_ms, capture
FROM stages
JOIN captures USING (capture)
WHERE rows_of = 'hops' AND stage = 'log_write' AND database IS NULL
ORDER BY begun, replica`,
  },
  {
    title: "Releases of commits per capture",
    sql: `SELECT begun, name, gate, count AS commits, ${KEPT}, capture
FROM stages
JOIN captures USING (capture)
WHERE rows_of = 'commits' AND stage = 'latency' AND gate IS NOT NULL AND database IS NULL
ORDER BY begun, gate`,
  },
  {
    title: "All blocks of a day, per replica",
    sql: `-- Remote harden of all blocks of a day together, whichever captures they are of: counts are exact,
-- percentiles up to 1.1 % more than that of the block of that rank. quantile_cont over hops reads every
-- block instead: exact, and seconds over 20 million.
WITH of_day AS (
  SELECT time_bucket(INTERVAL '1 day', utc) AS day, replica, up_to_us, sum(count)::BIGINT AS count
  FROM histograms
  WHERE rows_of = 'hops' AND stage = 'remote_harden'
  GROUP BY ALL
), counted AS (
  SELECT *, sum(count) OVER (PARTITION BY day, replica) AS total,
         sum(count) OVER (PARTITION BY day, replica ORDER BY up_to_us) AS so_far
  FROM of_day
)
SELECT day, replica, sum(count)::BIGINT AS blocks,
${COUNTED}
       max(up_to_us) AS max
FROM counted
GROUP BY ALL ORDER BY day, replica`,
  },
  {
    title: "Slow hours of the day",
    sql: `-- How many blocks took over 50 ms to be hardened remotely, by the hour of the day, UTC, over all captures.
-- Counts are exact, 50 ms being a limit of the table's buckets; max is the end of the last one
SELECT hour(utc) AS hour,
       sum(count)::BIGINT AS blocks,
       sum(count) FILTER (over_us >= 50000)::BIGINT AS over_50_ms,
       over_50_ms / blocks AS over_50_ms_share,
       max(up_to_us) AS max
FROM histograms
WHERE rows_of = 'hops' AND stage = 'remote_harden'
GROUP BY ALL ORDER BY ALL`,
  },
  {
    title: "Slowest 20 commits",
    sql: `-- The twenty are found before they are joined: so most of the tables is passed over unread
SELECT m.utc, c.name, m.database, m.gate, m.block,
       m.latency_us AS latency,
       m.wake_up_us AS wake_up,
       m.capture
FROM (FROM commits ORDER BY latency_us DESC NULLS LAST LIMIT 20) m
JOIN captures c USING (capture)
ORDER BY m.latency_us DESC NULLS LAST`,
  },
  {
    title: "Causes, how often",
    sql: `SELECT cause, severity, count(DISTINCT capture) AS captures, max(share) AS largest_share
FROM findings
GROUP BY ALL ORDER BY captures DESC`,
  },
  {
    title: "Failovers and their causes",
    sql: `-- Failovers that other files of the captures show
SELECT min(e.utc) AS utc, c.name, e.ag, e.failover_cause,
       count(*) AS events,
       e.capture
FROM evidence_events e
JOIN captures c USING (capture)
WHERE e.failover_cause IS NOT NULL
GROUP BY ALL ORDER BY utc`,
  },
  {
    title: "Clocks that drift most",
    sql: `SELECT utc, replica, against, drift_ppm, bound_us AS bound, capture
FROM clocks
ORDER BY abs(drift_ppm) DESC NULLS LAST
LIMIT 50`,
  },
];
