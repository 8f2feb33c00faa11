import { expect, test } from "vitest";
import { rowsOfTrueTimes } from "./stray-times.ts";

/** A counter that began two hours before the first of these events; ticks are tenths of µs. */
const fires = (seconds: readonly number[]): Float64Array =>
  Float64Array.from(seconds, (s) => (s + 7_200) * 1e6);
const published = (seconds: readonly number[]): Float64Array => Float64Array.from(seconds, (s) => s * 1e7);
const SECONDS = Array.from({ length: 20 }, (_, i) => i);

const rows = (fire: Float64Array, ticks = published(SECONDS)): number[] | null => {
  const found = rowsOfTrueTimes(fire, ticks);
  return found === null ? null : [...found];
};

test("all events stay where UTC and the counter run together", () => {
  expect(rows(fires(SECONDS))).toBeNull();
  expect(rows(fires(SECONDS.map((s) => s + (s % 2) * 3_599)))).toBeNull();
});

test("an event that was published half an hour after it fired stays: that is a stall", () => {
  const fire = fires(SECONDS);
  fire[7] -= 1_800e6;
  expect(rows(fire)).toBeNull();
});

test.each([0, 7, 19])("an event whose counter lost its upper bytes is left out, at place %d", (place) => {
  const fire = fires(SECONDS);
  fire[place] = 0;
  expect(rows(fire)).toEqual(SECONDS.filter((row) => row !== place));
});

test("a counter that steps, or stands still for more than an hour, takes all events behind it along", () => {
  expect(rows(fires(SECONDS.map((s) => (s < 8 ? s : s - 5_000))))).toBeNull();
});

test("events that do not say when they fired stay, and so do few, of which none can be told from the others", () => {
  const fire = fires(SECONDS);
  fire.fill(Number.NaN, 3, 6);
  expect(rows(fire)).toBeNull();
  fire[12] = 0;
  expect(rows(fire)).toEqual(SECONDS.filter((row) => row !== 12));
  expect(rows(Float64Array.of(0, 7_200e6, 14_400e6), Float64Array.of(0, 1, 2))).toBeNull();
});

test("events of one kind whose duration is read where there is none are left out, however many agree with each other", () => {
  const many = Array.from({ length: 60 }, (_, i) => i);
  const fire = fires(many);
  // Three of each nine follow each other, as acknowledgments do.
  const isWrong = (i: number): boolean => i % 9 >= 2 && i % 9 <= 4;
  for (const i of many.filter(isWrong)) fire[i] -= 1e15;
  expect(rows(fire, published(many))).toEqual(many.filter((i) => !isWrong(i)));
});
