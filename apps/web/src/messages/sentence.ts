import { createElement, Fragment, type ReactNode } from "react";

/** A sentence with elements in it: ``sentence`${count} commits waited` ``, where `count` is bold on screen. */
export const sentence = (texts: TemplateStringsArray, ...parts: readonly ReactNode[]): ReactNode =>
  createElement(Fragment, null, ...texts.flatMap((text, i) => [text, parts[i]]));
