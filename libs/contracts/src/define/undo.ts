/** So long whoever deleted something can take it back. No import, so that the browser takes nothing else. */
export const restoreMinutes = 5;
