import { fillPath, permissionKeys, type PermissionKey } from '@carillon/contracts';
import type { NamedRoute } from '@carillon/contracts/routes';
import { inputSchema, sampleOf } from './sample.ts';

export interface PermissionOptions {
  routes: readonly NamedRoute[];
  /** Sends a well-formed request with exactly these permissions; null: without a session. */
  ask(
    request: { method: string; url: string; body?: string },
    permissions: readonly PermissionKey[] | null,
  ): Promise<{ status: number; error: unknown }>;
}

/**
 * Calls every route with every permission but its own, and without a session. Returns the routes that accept it
 * (ROLE-03).
 */
export async function unguarded({ routes, ask }: PermissionOptions): Promise<string[]> {
  const found: string[] = [];
  for (const { name, route } of routes) {
    if (route.permission === 'public' || route.stream) continue;
    const params = route.params ? (sampleOf(inputSchema(route.params)) as Record<string, unknown>) : {};
    const one = {
      method: route.method,
      url: fillPath(route.path, params),
      ...(route.body ? { body: JSON.stringify(sampleOf(inputSchema(route.body))) } : {}),
    };
    const stranger = await ask(one, null);
    if (stranger.status !== 401 || stranger.error !== 'common.tokenInvalid')
      found.push(`${name} without a session: ${stranger.status}`);
    if (route.permission === 'session') continue;
    const without = await ask(
      one,
      permissionKeys.filter((key) => key !== route.permission),
    );
    if (without.status !== 403 || without.error !== 'common.forbidden')
      found.push(`${name} without ${route.permission}: ${without.status}`);
  }
  return found;
}
