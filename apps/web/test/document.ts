/** Before every component test: removes the document's content of the previous test, and allows slow answers. */
import { WAIT_MS } from "@aglens/fixtures/patience";
import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

afterEach(cleanup);

// A second, as it is otherwise, passes on a busy machine while a screen is drawn.
configure({ asyncUtilTimeout: WAIT_MS });

// Without a layout a document cannot convert points of an SVG; D3 then uses bounding boxes.
Object.defineProperty(SVGSVGElement.prototype, "createSVGPoint", { value: undefined });
for (const edge of ["clientLeft", "clientTop"])
  Object.defineProperty(SVGElement.prototype, edge, { value: 0 });

// happy-dom does not support `search`, which is a plain element (HTML 4.4.15), and React warns about every unknown
// element.
Object.defineProperty(HTMLUnknownElement.prototype, Symbol.toStringTag, {
  configurable: true,
  get(this: HTMLElement) {
    return this.localName === "search" ? "HTMLElement" : "HTMLUnknownElement";
  },
});
