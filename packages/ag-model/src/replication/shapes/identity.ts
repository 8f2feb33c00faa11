/**
 * Names of log blocks (docs/contribute/model/attribution.md 2.1): the high 32 bits of a log_block_id are the VLF sequence number, the low 32 bits
 * the offset in the VLF in 512-byte units.
 */

/** Bytes of the unit in which log_block_id offsets and log_block_size count. */
export const LOG_UNIT_BYTES = 512;

/**
 * Largest possible size of a log block, bytes (docs/contribute/model/attribution.md 2.1): if the next known block is farther away,
 * unknown blocks are in between.
 */
export const MOST_BLOCK_BYTES = 61_440;

/** A log_block_id as the log prints it, e.g. 00000022:00000167. */
export function formatLsn(blockId: bigint): string {
  const hex = BigInt.asUintN(64, blockId).toString(16).padStart(16, "0");
  return `${hex.slice(0, 8)}:${hex.slice(8)}`;
}
