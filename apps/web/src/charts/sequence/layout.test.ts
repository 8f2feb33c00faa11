import { describe, expect, it } from "vitest";
import { evenSteps, placeLenses, toScale } from "./layout.ts";

describe("toScale", () => {
  it("makes length proportional to time", () => {
    const x = toScale([100, 300], 0, 400);
    expect([x(100), x(150), x(300)]).toEqual([0, 100, 400]);
  });
});

describe("evenSteps", () => {
  it("gives each instant one step and is linear in between", () => {
    const x = evenSteps([0, 10, 1000], 0, 200);
    expect([x(0), x(5), x(10), x(505), x(1000), x(2000)]).toEqual([0, 50, 100, 150, 200, 200]);
  });
});

describe("placeLenses", () => {
  it("keeps a lens over its place when there is room", () => {
    expect(placeLenses([500, 1000], 200, 0, 1400)).toEqual([400, 900]);
  });
  it("moves lenses apart and keeps them inside", () => {
    expect(placeLenses([100, 120], 200, 0, 1000)).toEqual([0, 212]);
    expect(placeLenses([980, 990], 200, 0, 1000)).toEqual([588, 800]);
  });
});
