/**
 * Draws in the next animation frame; at once while the page is printed, because no frame is drawn before the print.
 * @returns argument for `cancelAnimationFrame`
 */
export function inNextFrame(draw: () => void): number {
  if (!isPrinting()) return requestAnimationFrame(draw);
  draw();
  return 0;
}

/** `state/theme.ts` writes it onto the document, where the theme is. */
const isPrinting = (): boolean => document.documentElement.dataset["printing"] !== undefined;
