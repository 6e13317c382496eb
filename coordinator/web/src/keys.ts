// Keys that work anywhere in a view.

/** Whether what has the focus, or this, takes keys itself. */
export const takesKeys = (at: HTMLElement): boolean => at.isContentEditable || at.matches("select, textarea, input:not([type=checkbox], [type=radio])");

/** A key alone, where nothing else takes it. */
export const isFree = (e: KeyboardEvent): boolean => !e.ctrlKey && !e.metaKey && !e.altKey && !takesKeys(e.target as HTMLElement);
