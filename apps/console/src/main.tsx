import 'virtual:theme.css';
import './kit/theme/mantine.css.ts';
import './kit/theme/global.css';
import { createRoot } from 'react-dom/client';
import { MantineProvider } from '@mantine/core';
import { RouterProvider } from '@tanstack/react-router';
import { awaitChunk, startChunkWatch } from './kit/browser/chunk.ts';
import { startErrorLog } from './kit/browser/error-log.ts';
import { startIdle } from './kit/session/idle.ts';
import { settings, showIcon } from './kit/session/settings.ts';
import { applyLook, schemeManager } from './kit/theme/look.ts';
import { theme } from './kit/theme/theme.ts';
import { ignoreCompositionKeys } from './kit/text/composition.ts';
import { startText } from './kit/text/text.ts';
import { router } from './frame/router.ts';

applyLook();
ignoreCompositionKeys();
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
startIdle(() => import('./kit/api/access.ts').then((m) => m.reportPresence()));
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
