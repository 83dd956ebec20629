/** Runs in the page: texts that are wider than their box, unless they are cut with an ellipsis and named by a tooltip. */
export declare function overflows(): string[];
