/** CRC-32 as in zips (APPNOTE 4.4.7). Browsers have no such function, and Node's is unavailable there. */

const POLYNOMIAL = 0xedb8_8320;
const TABLES = tables();

/** `TABLES[k][b]`: result of byte b with k bytes after it, so that four bytes are one step. */
function tables(): readonly [Uint32Array, Uint32Array, Uint32Array, Uint32Array] {
  const first = Uint32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
    return crc;
  });
  const after = (table: Uint32Array): Uint32Array =>
    table.map((crc) => (crc >>> 8) ^ (first[crc & 0xff] as number));
  const second = after(first);
  const third = after(second);
  return [first, second, third, after(third)];
}

/** @param crc of the bytes before; 0 at the start */
export function crc32(bytes: Uint8Array, crc = 0): number {
  const [one, two, three, four] = TABLES;
  const fours = bytes.length - (bytes.length % 4);
  let value = ~crc;
  let at = 0;
  for (; at < fours; at += 4) {
    value ^=
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24);
    value =
      (four[value & 0xff] as number) ^
      (three[(value >>> 8) & 0xff] as number) ^
      (two[(value >>> 16) & 0xff] as number) ^
      (one[value >>> 24] as number);
  }
  for (; at < bytes.length; at++) {
    value = (value >>> 8) ^ (one[(value ^ (bytes[at] as number)) & 0xff] as number);
  }
  return ~value >>> 0;
}
