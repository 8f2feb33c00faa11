import { expect, test } from "vitest";
import { modelOf, withCommitMode, type BlockSpec } from "../../../test/model.ts";
import { releaseShares } from "./release-shares.ts";

/**
 * The second secondary releases the first `second` blocks, the log write the next `local`, and the first secondary the
 * others.
 */
function shares(second: number, local: number, flush = 3_500): BlockSpec[] {
  return Array.from({ length: 100 }, (_, i) => {
    if (i < second) return { at: i * 50_000, hops: [{}, { flush }] };
    if (i < second + local) return { at: i * 50_000, localFlush: 20_000 };
    return { at: i * 50_000, hops: [{ flush }, {}] };
  });
}
const of = (second: number, local: number, flush?: number): string | null =>
  releaseShares(modelOf(shares(second, local, flush), { secondaries: 2 }));

test("one secondary leaves no question of who", () => {
  expect(releaseShares(modelOf(shares(0, 0)))).toBeNull();
  expect(releaseShares(modelOf([], { secondaries: 2 }))).toBeNull();
});

test("what releases a tenth and more is named, largest share first", () => {
  expect(of(9, 0)).toBe("SQL2 releases 91\u00a0% of the commits.");
  expect(of(10, 0)).toBe("SQL2 releases 90\u00a0% of the commits, SQL3 10\u00a0%.");
  expect(of(10, 70)).toBe(
    "The local log write releases 70\u00a0% of the commits, SQL2 20\u00a0%, SQL3 10\u00a0%.",
  );
});

test("shares within ten points share a sentence; the same speed is only of replicas as fast as each other", () => {
  expect(of(48, 3)).toBe("SQL2 and SQL3 release the commits, 49\u00a0% and 48\u00a0%, at the same speed.");
  expect(of(33, 32)).toBe(
    "SQL2, SQL3 and the local log write release the commits, 35\u00a0%, 33\u00a0% and 32\u00a0%.",
  );
  // p50 of the paths: 40,700 µs against 4,200 µs of a healthy one, for it releases over half.
  expect(of(46, 0, 40_000)).toBe("SQL2 and SQL3 release the commits, 54\u00a0% and 46\u00a0%.");
  expect(of(45, 0)).toBe("SQL2 releases 55\u00a0% of the commits, SQL3 45\u00a0%.");
});

test("an asynchronous replica is in no sentence, for it releases nothing", () => {
  const model = withCommitMode(modelOf(shares(0, 0), { secondaries: 2 }), 2, "async");
  expect(releaseShares(model)).toBe("SQL2 releases 100\u00a0% of the commits.");
});
