import { expect, test } from "vitest";
import { ByteWindow } from "./window.ts";

const bytesOf = (window: ByteWindow, from: number, to: number): number[] => {
  const view = window.view(from, to);
  return Array.from({ length: view.byteLength }, (_, at) => view.getUint8(at));
};

test("bytes are found at their file offsets, behind those that were dropped", () => {
  const window = new ByteWindow();
  window.append(Uint8Array.of(0, 1, 2, 3));
  window.append(Uint8Array.of(4, 5));
  expect(window.endOffset).toBe(6);
  expect(bytesOf(window, 1, 5)).toEqual([1, 2, 3, 4]);
  window.dropBefore(3);
  expect(window.offset).toBe(3);
  expect(bytesOf(window, 3, 6)).toEqual([3, 4, 5]);
  window.append(Uint8Array.of(6));
  expect(bytesOf(window, 4, 7)).toEqual([4, 5, 6]);
});

test("a view ends where the bytes do", () => {
  const window = new ByteWindow();
  window.append(Uint8Array.of(0, 1, 2));
  expect(bytesOf(window, 1, 100)).toEqual([1, 2]);
  expect(bytesOf(window, 1, Infinity)).toEqual([1, 2]);
  expect(bytesOf(window, 3, 100)).toEqual([]);
});

test("dropping goes neither back nor beyond the end", () => {
  const window = new ByteWindow();
  window.append(Uint8Array.of(0, 1, 2));
  window.dropBefore(2);
  window.dropBefore(1);
  expect(bytesOf(window, 2, 3)).toEqual([2]);
  window.dropBefore(50);
  expect([window.offset, window.endOffset]).toEqual([3, 3]);
  window.append(Uint8Array.of(3));
  expect(bytesOf(window, 3, 4)).toEqual([3]);
});

test("bytes survive however often the memory is moved or grows", () => {
  const window = new ByteWindow();
  let written = 0;
  for (let round = 0; round < 60; round++) {
    const length = 1 + ((round * 7919) % 50_000);
    window.append(Uint8Array.from({ length }, (_, at) => (written + at) % 251));
    written += length;
    // Keeps a part of the bytes, at times nearly none, at times nearly all.
    window.dropBefore(written - (round % 3 === 0 ? 10 : 60_000));
    const view = window.view(window.offset, written);
    expect(window.endOffset).toBe(written);
    expect(view.getUint8(0)).toBe(window.offset % 251);
    expect(view.getUint8(view.byteLength - 1)).toBe((written - 1) % 251);
    expect(view.getUint8(view.byteLength >> 1)).toBe((window.offset + (view.byteLength >> 1)) % 251);
  }
});

test("room is as long as asked for, and only what is grown counts", () => {
  const window = new ByteWindow();
  const room = window.room(100_000);
  expect(room).toHaveLength(100_000);
  room.fill(9, 0, 10);
  expect(window.endOffset).toBe(0);
  window.grow(10);
  expect(window.endOffset).toBe(10);
  expect(bytesOf(window, 0, 10)).toEqual(Array(10).fill(9));
});
