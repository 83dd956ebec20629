/** The key code of a key that an input method takes: Safari reports it after the composition has ended. */
const taken = 229;

/**
 * Keeps the keys of input methods (Chinese, Japanese, Korean) from every key handler of the page. While a word is
 * composed Enter takes a candidate, arrows choose among them and Escape gives up, which is no command to the page.
 */
export function ignoreCompositionKeys(): void {
  for (const type of ['keydown', 'keyup'] as const)
    addEventListener(
      type,
      (event) => {
        if (event.isComposing || event.keyCode === taken) event.stopImmediatePropagation();
      },
      { capture: true },
    );
}
