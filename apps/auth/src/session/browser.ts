import Bowser from 'bowser';

/** Returns what a person recognizes of a User-Agent: the browser with its major version, and the operating system. */
export function browserOf(userAgent: string | null): { browser: string | null; system: string | null } {
  if (!userAgent) return { browser: null, system: null };
  const { browser, os } = Bowser.parse(userAgent);
  const version = browser.version?.split('.')[0];
  return {
    browser: browser.name ? [browser.name, version].filter(Boolean).join(' ') : userAgent.slice(0, 64),
    system: os.name ?? null,
  };
}
