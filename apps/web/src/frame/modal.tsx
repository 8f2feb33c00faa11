import * as Dialog from "@radix-ui/react-dialog";
import type { ReactNode } from "react";
import { IconButton } from "./icon-button.tsx";
import { CloseIcon } from "./icons.tsx";
import styles from "./modal.module.css";

interface Props {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  /** Width where there is room for it, px. */
  readonly width?: number;
  /** Focuses something else than the first control. */
  readonly onFocus?: () => void;
  readonly children: ReactNode;
}

/** A dialog over the page: title, close, and what is inside. Keys of the page rest while it is open. */
export function Modal({ open, onOpenChange, title, width = 620, onFocus, children }: Props): ReactNode {
  const focus = (event: Event): void => {
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
        >
          <header className={styles.head}>
            <Dialog.Title>{title}</Dialog.Title>
            <IconButton label="Close" onClick={() => onOpenChange(false)}>
              <CloseIcon />
            </IconButton>
          </header>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** What scrolls when the dialog is higher than the window. */
export function ModalBody({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className={styles.body}>{children}</div>;
}

/** The dialog's buttons, at the right. */
export function ModalFoot({ children }: { readonly children: ReactNode }): ReactNode {
  return <footer className={styles.foot}>{children}</footer>;
}
