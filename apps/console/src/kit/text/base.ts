import type { Language } from '@carillon/contracts';
import enFirst from './en_US/first.json' with { type: 'json' };
import enRest from './en_US/rest.json' with { type: 'json' };
import enLink from './en_US/link.json' with { type: 'json' };
import enPage from './en_US/page.json' with { type: 'json' };
import enSystem from './en_US/system.json' with { type: 'json' };
import zhFirst from './zh_CN/first.json' with { type: 'json' };
import zhRest from './zh_CN/rest.json' with { type: 'json' };
import zhLink from './zh_CN/link.json' with { type: 'json' };
import zhPage from './zh_CN/page.json' with { type: 'json' };
import zhSystem from './zh_CN/system.json' with { type: 'json' };
import koFirst from './ko/first.json' with { type: 'json' };
import koRest from './ko/rest.json' with { type: 'json' };
import koLink from './ko/link.json' with { type: 'json' };
import koPage from './ko/page.json' with { type: 'json' };
import koSystem from './ko/system.json' with { type: 'json' };
import ptFirst from './pt_BR/first.json' with { type: 'json' };
import ptRest from './pt_BR/rest.json' with { type: 'json' };
import ptLink from './pt_BR/link.json' with { type: 'json' };
import ptPage from './pt_BR/page.json' with { type: 'json' };
import ptSystem from './pt_BR/system.json' with { type: 'json' };

/**
 * The parts in which a browser loads the texts: `first` with the login page, `rest` with the main layout, `link` with the
 * pages of links in mails and of the captcha, `page` with any page or dialog that asks for `pageTexts`, and `system` with
 * the screens of administration, which ask for `systemTexts`.
 */
export const textParts = ['first', 'rest', 'link', 'page', 'system'] as const;
export type TextPart = (typeof textParts)[number];

/** The texts of the kit; areas and actions keep theirs in their folders. */
export const baseTexts: Readonly<Record<Language, Readonly<Record<TextPart, Record<string, string>>>>> = {
  en_US: { first: enFirst, rest: enRest, link: enLink, page: enPage, system: enSystem },
  zh_CN: { first: zhFirst, rest: zhRest, link: zhLink, page: zhPage, system: zhSystem },
  ko: { first: koFirst, rest: koRest, link: koLink, page: koPage, system: koSystem },
  pt_BR: { first: ptFirst, rest: ptRest, link: ptLink, page: ptPage, system: ptSystem },
};
