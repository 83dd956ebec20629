import { useState } from 'react';
import { Menu } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { isSingle, setSingle } from '../../kit/session/tabs.ts';
import { useText } from '../../kit/text/use-text.ts';
import { accentNames, chooseLook, chosenAccent, chosenTheme, themes } from '../../kit/theme/look.ts';
import css from './colour-list.module.css';

const icon = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;

/** Themes and colours to choose from, for the top bar. */
export default function ColourList() {
  const { t } = useText();
  const [, shown] = useState(0);
  const choose = (look: Parameters<typeof chooseLook>[0]) => {
    chooseLook(look);
    shown((n) => n + 1);
  };
  return (
    <>
      <Menu.Label>{t('shell.theme')}</Menu.Label>
      {themes.map((name) => (
        <Menu.Item
          key={name}
          rightSection={name === chosenTheme() && <IconCheck {...icon} />}
          onClick={() => choose({ theme: name })}
        >
          {t(`theme.${name}`)}
        </Menu.Item>
      ))}
      <Menu.Item
        rightSection={isSingle() && <IconCheck {...icon} />}
        onClick={() => {
          setSingle(!isSingle());
          shown((n) => n + 1);
        }}
      >
        {t('colour.single')}
      </Menu.Item>
      <Menu.Label>{t('shell.colour')}</Menu.Label>
      {accentNames.map((name) => (
        <Menu.Item
          key={name}
          leftSection={<span className={css.swatch} data-colour={name} />}
          rightSection={name === chosenAccent() && <IconCheck {...icon} />}
          onClick={() => choose({ accent: name })}
        >
          {t(`colour.${name}`)}
        </Menu.Item>
      ))}
    </>
  );
}
