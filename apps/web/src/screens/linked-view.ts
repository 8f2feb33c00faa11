import type { Summary } from "@aglens/contract";
import type { LinkedView, View } from "../state/view.ts";

/** A view as addresses have it: with one secondary there is none to name. */
export function linkedView(view: View, { replicas }: Pick<Summary, "replicas">): LinkedView {
  return replicas.length > 2 ? view : { ...view, secondary: null };
}
