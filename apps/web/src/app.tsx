import type { ReactNode } from "react";

/** Routes of the product. */
export function App(): ReactNode {
  return null;
}
