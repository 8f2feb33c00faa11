import { TestClock } from "@aglens/fixtures/clock";
import { describePassing } from "../../test/passing-contract.ts";
import { passingInMemory } from "./passing.ts";

describePassing("memory", async () => {
  const passing = passingInMemory(new TestClock());
  return [passing, passing];
});
