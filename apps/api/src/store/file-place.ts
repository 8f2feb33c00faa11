/** A place that has the files of the captures of one catalog. */
export interface FilePlace {
  /** The id of its catalog in this place; null before it belongs to one. */
  notedId(): Promise<string | null>;
  noteId(id: string): Promise<void>;
  /** Whether it has files of captures. */
  hasCaptures(): Promise<boolean>;
}
