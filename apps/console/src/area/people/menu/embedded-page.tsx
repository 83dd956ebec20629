import { useEffect } from 'react';
import { getRouteApi } from '@tanstack/react-router';
import { StatusPage } from '../../../kit/part/status-page.tsx';
import { hrefOf, pages, useMenu, useUser } from '../../../kit/api/access.ts';
import { useMenuName } from './menu-entry.ts';
import { nameTab } from '../../../kit/session/tabs.ts';
import css from './menu-page.module.css';

const route = getRouteApi('/_main/myiframe/$routerPath');

/**
 * Shows a page of another site inside the main layout (SHELL-03). Pages that are not in the menu are not found.
 */
export function EmbeddedPage() {
  const { routerPath } = route.useParams();
  const { data: menu } = useMenu();
  const { data: user } = useUser();
  const name = useMenuName();
  const entry =
    menu && user
      ? pages(menu, user.roles).find((m) => m.id === routerPath && hrefOf(m).startsWith('/myiframe/'))
      : undefined;
  const title = entry === undefined ? undefined : name(entry);
  useEffect(() => {
    if (title !== undefined) nameTab(`/myiframe/${routerPath}`, title);
  }, [title, routerPath]);
  if (menu === undefined || user === undefined) return null;
  if (entry === undefined) return <StatusPage code="404" />;
  // The frame may run scripts and log in, but neither reach this page nor navigate its window. A page of our own site
  // gets no origin, because it could reach this page otherwise.
  const foreign = /^https?:/i.test(entry.path!) && new URL(entry.path!).origin !== window.location.origin;
  return (
    <>
      <h1 className="hidden-text">{title}</h1>
      <iframe
        key={entry.path}
        className={css.frame}
        title={title}
        src={entry.path!}
        sandbox={`allow-scripts ${foreign ? 'allow-same-origin ' : ''}allow-forms allow-popups allow-downloads`}
        referrerPolicy="no-referrer"
      />
    </>
  );
}
