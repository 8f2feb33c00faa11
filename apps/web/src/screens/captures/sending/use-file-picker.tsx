import { type ChangeEvent, type ReactNode, useCallback, useRef } from "react";
import type { FileCorrection } from "@aglens/contract";
import { usePlace } from "../../../data/place.ts";
import { sendingTexts as texts } from "../../../messages/sending.ts";
import type { Draft } from "./draft-types.ts";
import { filesOfHandlePicker, hasHandlePicker, pickedOf } from "./picked-files.ts";

/** A hidden file input; `choose` opens it, for one replica or for any. */
export function useFilePicker(add: Draft["add"]): {
  readonly choose: (as?: FileCorrection) => void;
  readonly input: ReactNode;
} {
  const element = useRef<HTMLInputElement>(null);
  const target = useRef<FileCorrection | undefined>(undefined);
  const choose = useCallback(
    (as?: FileCorrection) => {
      target.current = as;
      if (usePlace.getState().place === "server" || !hasHandlePicker()) element.current?.click();
      else void filesOfHandlePicker().then((files) => add(files, as));
    },
    [add],
  );
  const onChange = (event: ChangeEvent<HTMLInputElement>): void => {
    void add(pickedOf(event.target.files), target.current);
    event.target.value = "";
  };
  const input = (
    <input ref={element} type="file" multiple hidden aria-label={texts.captureFiles} onChange={onChange} />
  );
  return { choose, input };
}
