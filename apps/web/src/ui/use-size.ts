import { useCallback, useState, type RefCallback, type RefObject } from "react";

export interface Size {
  /** CSS pixels inside the border; 0 before the first layout. */
  readonly width: number;
  readonly height: number;
}

/**
 * The size of an element, measured when it is added and whenever it changes. The first result is the element's `ref`.
 * @param elementRef also gets the element, for callers that need it as well as its size
 */
export function useSize<E extends HTMLElement>(elementRef?: RefObject<E | null>): [RefCallback<E>, Size] {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  const measure = useCallback(
    (element: E | null) => {
      if (elementRef) elementRef.current = element;
      if (element === null) return undefined;
      let last: Size | null = null;
      const read = (): void => {
        const { clientWidth: width, clientHeight: height } = element;
        if (last?.width === width && last.height === height) return;
        last = { width, height };
        setSize(last);
      };
      read();
      const observer = new ResizeObserver(read);
      observer.observe(element);
      return () => {
        observer.disconnect();
        if (elementRef) elementRef.current = null;
      };
    },
    [elementRef],
  );
  return [measure, size];
}
