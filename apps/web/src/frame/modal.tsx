import * as Dialog from "@radix-ui/react-dialog";
import { type ReactNode, useRef } from "react";
import { frameTexts as texts } from "../messages/frame.ts";
import { focusAgain } from "../ui/focus-again.ts";
import { IconButton } from "./icon-button.tsx";
import { CloseIcon } from "./icons.tsx";
import styles from "./modal.module.css";

interface Props {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  /** Width where there is room for it, px. */
  readonly width?: number;
  /** Focuses another element than the first control. */
  readonly onFocus?: () => void;
  readonly children: ReactNode;
}

/**
 * A dialog over the page: title, close button and content. Keys of the page are off while it is open; when it closes,
 * the focus returns to its earlier place.
 */
export function Modal({ open, onOpenChange, title, width = 620, onFocus, children }: Props): ReactNode {
  const before = useRef<Element | null>(null);
  const focus = (event: Event): void => {
    before.current = document.activeElement;
    if (onFocus === undefined) return;
    event.preventDefault();
    onFocus();
  };
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className={styles.overlay} />
        <Dialog.Content
          className={styles.modal}
          style={{ width: `min(${width}px, calc(100vw - 32px))` }}
          aria-describedby={undefined}
          onOpenAutoFocus={focus}
          onCloseAutoFocus={(event) => {
            // Without its own trigger the library would not set the focus to any element.
            event.preventDefault();
            focusAgain(before.current);
          }}
        >
          <header className={styles.head}>
            <Dialog.Title>{title}</Dialog.Title>
            <IconButton label={texts.close} onClick={() => onOpenChange(false)}>
              <CloseIcon />
            </IconButton>
          </header>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface BodyProps {
  /** Name of a body without other elements that take the focus: the body itself is reached and scrolled with keys. */
  readonly label?: string;
  readonly children: ReactNode;
}

/** The part that scrolls when the dialog is higher than the window. */
export function ModalBody({ label, children }: BodyProps): ReactNode {
  if (label === undefined) return <div className={styles.body}>{children}</div>;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by key
    <section className={styles.body} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}

/** The dialog's buttons, at the right. */
export function ModalFoot({ children }: { readonly children: ReactNode }): ReactNode {
  return <footer className={styles.foot}>{children}</footer>;
}
