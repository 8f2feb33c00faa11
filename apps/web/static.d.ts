/** The files of the folder by name. @param page the product as one HTML file */
export declare function staticFiles(page: string): Readonly<Record<string, string>>;
/** Writes the folder again from the start. */
export declare function writeStatic(page: string, folder: string): void;
