import type { ReactNode } from "react";

interface IconProps {
  readonly size?: number;
}

function Icon({ size = 14, children }: IconProps & { children: ReactNode }): ReactNode {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

/** Dark theme. */
export function MoonIcon(props: IconProps): ReactNode {
  return (
    <Icon {...props}>
      <path d="M13 9.6A5.5 5.5 0 1 1 6.4 3 4.4 4.4 0 0 0 13 9.6Z" />
    </Icon>
  );
}

/** Going to a place by its name. */
export function SearchIcon(props: IconProps): ReactNode {
  return (
    <Icon {...props}>
      <path d="M11.6 11.6 14 14M7 12.2A5.2 5.2 0 1 0 7 1.8a5.2 5.2 0 0 0 0 10.4Z" />
    </Icon>
  );
}

/** Sharing. */
export function LinkIcon(props: IconProps): ReactNode {
  return (
    <Icon {...props}>
      <path d="M6.8 9.2a2.6 2.6 0 0 0 3.7 0l2.2-2.2a2.6 2.6 0 0 0-3.7-3.7l-.9.9M9.2 6.8a2.6 2.6 0 0 0-3.7 0L3.3 9a2.6 2.6 0 0 0 3.7 3.7l.9-.9" />
    </Icon>
  );
}

/** A condition that needs reading; always next to words. */
export function WarningIcon(props: IconProps): ReactNode {
  return (
    <Icon {...props}>
      <path d="M8 2.2 14.4 13.4H1.6ZM8 6.4v3.2M8 11.4v.1" />
    </Icon>
  );
}

/** Done. */
export function CheckIcon(props: IconProps): ReactNode {
  return (
    <Icon {...props}>
      <path d="m3.2 8.4 3 3 6.6-6.8" strokeWidth="1.9" />
    </Icon>
  );
}

/** Marks a place for files. */
export function UploadIcon(props: IconProps): ReactNode {
  return (
    <Icon {...props}>
      <path d="M1.8 9v4.6h12.4V9M8 11V2.6M5 5.4l3-2.9 3 2.9" strokeWidth="1" />
    </Icon>
  );
}

/** Close. */
export function CloseIcon(props: IconProps): ReactNode {
  return (
    <Icon {...props}>
      <path d="m4 4 8 8M12 4l-8 8" />
    </Icon>
  );
}

/** The product's mark: three bars, one per place, each a step later. */
export function Logo(): ReactNode {
  return (
    <svg width="20" height="16" viewBox="0 0 20 16" aria-hidden="true">
      <rect x="0" y="1" width="11" height="3.4" rx="1" fill="var(--p-disk)" />
      <rect x="5" y="6.3" width="9" height="3.4" rx="1" fill="var(--n-out)" />
      <rect x="9" y="11.6" width="10" height="3.4" rx="1" fill="var(--s-disk)" />
    </svg>
  );
}

/** A note of a user. */
export function NoteIcon(props: IconProps): ReactNode {
  return (
    <Icon {...props}>
      <path d="M8 14.2S12.6 9.8 12.6 6.4a4.6 4.6 0 0 0-9.2 0C3.4 9.8 8 14.2 8 14.2ZM8 8a1.6 1.6 0 1 0 0-3.2A1.6 1.6 0 0 0 8 8Z" />
    </Icon>
  );
}

/** Changing a text. */
export function PenIcon(props: IconProps): ReactNode {
  return (
    <Icon {...props}>
      <path d="m2.4 13.6.8-3.2 7.6-7.6 2.4 2.4-7.6 7.6ZM9.4 4.2l2.4 2.4" />
    </Icon>
  );
}

/** Deleting. */
export function BinIcon(props: IconProps): ReactNode {
  return (
    <Icon {...props}>
      <path d="M2.6 4.2h10.8M6 4V2.4h4V4M4 4.4l.7 9.2h6.6l.7-9.2M6.7 7v4.2M9.3 7v4.2" />
    </Icon>
  );
}

/** A watch, and what it recorded. */
export function BellIcon(props: IconProps): ReactNode {
  return (
    <Icon {...props}>
      <path d="M3.4 11.4c1-1 1.2-2.2 1.2-4.4a3.4 3.4 0 0 1 6.8 0c0 2.2.2 3.4 1.2 4.4ZM6.6 13.6a1.5 1.5 0 0 0 2.8 0" />
    </Icon>
  );
}

/** Figures in rows and columns. */
export function TableIcon(props: IconProps): ReactNode {
  return (
    <Icon {...props}>
      <path d="M2 3h12v10H2ZM2 6.4h12M2 9.7h12M7 6.4V13" />
    </Icon>
  );
}
