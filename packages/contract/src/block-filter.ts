/** A filter of blocks in an address: `secondaryFlush@1=5000..8000` is 5 ms up to 8 ms, at replica slot 1; `commit=5000..8000`. */
import { DistributionStage } from "./distribution.ts";
import { z } from "./zod.ts";

/** Blocks whose stage took `least` µs or more and under `limit` µs; of "commit" those with such a commit. */
export const BlockFilter = z
  .object({
    stage: DistributionStage,
    secondary: z.number().int().min(0).max(15),
    least: z.number(),
    limit: z.number(),
  })
  .refine(({ least, limit }) => least < limit);
export type BlockFilter = z.infer<typeof BlockFilter>;

const NUMBER = String.raw`-?\d{1,15}(?:\.\d{1,6})?`;
const PATTERN = new RegExp(String.raw`^([A-Za-z]+)(?:@(\d{1,2}))?=(${NUMBER})\.\.(${NUMBER})$`, "u");

/** The filter as a text. */
export function blockFilterText({ stage, secondary, least, limit }: BlockFilter): string {
  const where = stage === "commit" ? "" : `@${secondary + 1}`;
  return `${stage}${where}=${decimal(least)}..${decimal(limit)}`;
}

/** Edges of bins have at most six decimals that matter. */
const decimal = (us: number): string => String(Number(us.toFixed(6)));

/** The filter that a text writes down; null for any other text. */
export function parseBlockFilter(text: string): BlockFilter | null {
  const [, stage, slot, least, limit] = PATTERN.exec(text) ?? [];
  const parsed = BlockFilter.safeParse({
    stage,
    secondary: Math.max(0, Number(slot ?? 1) - 1),
    least: Number(least),
    limit: Number(limit),
  });
  return parsed.success ? parsed.data : null;
}
