import type { FlushClasses } from "@aglens/contract";

/** Published classes of log writes, best first, with their limits in ms. */
export const FLUSH_CLASSES: readonly { readonly key: keyof FlushClasses; readonly label: string }[] = [
  { key: "good", label: "up to 10" },
  { key: "reasonable", label: "10 to 20" },
  { key: "busy", label: "20 to 50" },
  { key: "bad", label: "over 50 ms" },
];
