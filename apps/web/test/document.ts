/** Before every component test: nothing of the test before it is left in the document, and what comes may take its time. */
import { waitMs } from "@aglens/fixtures/patience";
import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

afterEach(cleanup);

// A second, as it is otherwise, passes on a busy machine while a screen is drawn.
configure({ asyncUtilTimeout: waitMs() });

// Without a layout a document cannot turn points of an SVG into its own; D3 then takes bounding boxes.
Object.defineProperty(SVGSVGElement.prototype, "createSVGPoint", { value: undefined });
for (const edge of ["clientLeft", "clientTop"])
  Object.defineProperty(SVGElement.prototype, edge, { value: 0 });

// happy-dom does not know `search`, which is a plain element (HTML 4.4.15), and React warns about every element that is unknown.
Object.defineProperty(HTMLUnknownElement.prototype, Symbol.toStringTag, {
  configurable: true,
  get(this: HTMLElement) {
    return this.localName === "search" ? "HTMLElement" : "HTMLUnknownElement";
  },
});
