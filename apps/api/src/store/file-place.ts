/** A place that has the files of the captures of one catalogue. */
export interface FilePlace {
  /** The id by which it knows its catalogue; null while it is of none. */
  notedId(): Promise<string | null>;
  noteId(id: string): Promise<void>;
  /** Whether it has files of captures. */
  hasCaptures(): Promise<boolean>;
}
