import { guidBytes } from "./guid.ts";

const TWO_32 = 0x1_0000_0000;

/** Bytes that grow, with a write position. */
export class Output {
  bytes: Uint8Array<ArrayBuffer>;
  view: DataView;
  at = 0;

  constructor(capacity: number) {
    this.bytes = new Uint8Array(capacity);
    this.view = new DataView(this.bytes.buffer);
  }

  reserve(count: number): void {
    const needed = this.at + count;
    if (needed <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    grown.set(this.bytes.subarray(0, this.at));
    this.bytes = grown;
    this.view = new DataView(grown.buffer);
  }

  u8(value: number): void {
    this.reserve(1);
    this.view.setUint8(this.at, value);
    this.at += 1;
  }
  u16(value: number): void {
    this.reserve(2);
    this.view.setUint16(this.at, value, true);
    this.at += 2;
  }
  u32(value: number): void {
    this.reserve(4);
    this.view.setUint32(this.at, value, true);
    this.at += 4;
  }
  u64(value: number | bigint): void {
    this.reserve(8);
    putInt64(this.view, this.at, value);
    this.at += 8;
  }
  raw(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.at);
    this.at += bytes.length;
  }
  /** UTF-16LE ended by one zero character (`wz` of docs/reference/xel-format.md 1). */
  text(value: string): void {
    this.reserve(value.length * 2 + 2);
    this.at += putUtf16(this.view, this.at, value);
    this.u16(0);
  }
  zeros(count: number): void {
    this.reserve(count);
    this.bytes.fill(0, this.at, this.at + count);
    this.at += count;
  }
  guid(text: string): void {
    this.raw(guidBytes(text));
  }
}

/** A number is split in halves, so that no bigint is created. */
export function putInt64(view: DataView, at: number, value: number | bigint): void {
  if (typeof value === "bigint") {
    view.setBigUint64(at, BigInt.asUintN(64, value), true);
    return;
  }
  view.setUint32(at, value, true);
  view.setInt32(at + 4, Math.floor(value / TWO_32), true);
}

export function putUtf16(view: DataView, at: number, value: string): number {
  for (let i = 0; i < value.length; i++) view.setUint16(at + 2 * i, value.charCodeAt(i), true);
  return value.length * 2;
}
