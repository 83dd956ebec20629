import 'virtual:theme.css';
import './theme/mantine.css.ts';
import './theme/global.css';
import { createRoot } from 'react-dom/client';
import { MantineProvider } from '@mantine/core';
import { RouterProvider } from '@tanstack/react-router';
import { awaitChunk, startChunkWatch } from './session/chunk.ts';
import { startErrorLog } from './session/error-log.ts';
import { startIdle } from './session/idle.ts';
import { settings, showIcon } from './session/settings.ts';
import { applyLook, schemeManager } from './theme/look.ts';
import { theme } from './theme/theme.ts';
import { startText } from './text/text.ts';
import { router } from './router.ts';

applyLook();
showIcon();
startErrorLog();
// A page is on its way from the click until its parts are there.
let arrived = () => {};
router.subscribe('onBeforeLoad', () => {
  arrived();
  arrived = awaitChunk();
});
router.subscribe('onResolved', () => arrived());
startChunkWatch();
settings().catch(() => {
  /* the first call asks again and tells */
});
startIdle(() => import('./session/access.ts').then((m) => m.tellPresence()));
await startText();

createRoot(document.getElementById('root')!).render(
  <MantineProvider
    theme={theme}
    withCssVariables={false}
    withGlobalClasses={false}
    colorSchemeManager={schemeManager}
    defaultColorScheme="auto"
  >
    <RouterProvider router={router} />
  </MantineProvider>,
);
