/**
 * The view: the state of screens that addresses restore. `codec.ts` converts it into the query string and back;
 * `use-view.ts` provides it to screens.
 */
import { type LinkedView, readParameters } from "./view-parameters.ts";

export type { LinkedView, NamedBlock } from "./view-parameters.ts";

/** The view that screens show: with a secondary, and the block's row. */
export interface View extends Omit<LinkedView, "secondary" | "block"> {
  readonly secondary: number;
  readonly block: number | null;
}

/** The view of an address without parameters. */
export const DEFAULT_VIEW: View = { ...readParameters(new URLSearchParams()), secondary: 0, block: null };

/** The view without parameters of the SQL console. */
const withoutQuery = (view: LinkedView): LinkedView => ({
  ...view,
  sql: null,
  sqlShow: DEFAULT_VIEW.sqlShow,
  sqlPicture: null,
  sqlRow: null,
});

/** A view for the screen at a path: a query and a selected expectation are no part of a link to another screen. */
export function viewAt(path: string, view: LinkedView): LinkedView {
  if (path.endsWith("/sql")) return { ...view, expectation: null };
  return path.endsWith("/how-read")
    ? withoutQuery(view)
    : { ...withoutQuery(view), expectation: DEFAULT_VIEW.expectation };
}
