import { Menu } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { Language } from '@carillon/contracts';
import { FocusFirst } from '../../kit/part/focus-first.tsx';
import { currentLanguage, languageNames, languageTags } from '../../kit/browser/language.ts';
import { chooseLanguage } from '../../kit/text/text.ts';

/** Languages to choose from, for the top bar and a phone's menu. */
export function LanguageList() {
  return (Object.keys(languageNames) as Language[]).map((l) => (
    <Menu.Item
      key={l}
      lang={languageTags[l]}
      rightSection={l === currentLanguage() && <IconCheck size={16} stroke={1.75} aria-hidden />}
      onClick={() => chooseLanguage(l)}
    >
      {languageNames[l]}
    </Menu.Item>
  ));
}

export default function LanguageMenu() {
  return (
    <>
      <FocusFirst />
      <LanguageList />
    </>
  );
}
