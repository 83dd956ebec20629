import { hostPattern } from '@carillon/contracts';

/**
 * For every answer (docs/attack-cases.md, E10). No inline scripts; style elements only from files, style attributes for
 * the console's computed widths and colours. `data:` and `blob:` pictures are avatars and previews.
 */
const contentSecurityPolicy = (frames: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    `frame-src 'self'${frames}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
  ].join('; ');

const common: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
};

/**
 * Returns the security headers. Pages may only be framed from hosts that the operator allows (SYS-10,
 * docs/attack-cases.md, E1). A value that is no host could inject a keyword into the policy, so it is dropped.
 */
export function securityHeaders(secure: boolean, frameHosts: readonly string[] = []): Record<string, string> {
  const frames = frameHosts
    .filter((host) => hostPattern.test(host))
    .flatMap((host) => [` https://${host}`, ` http://${host}`])
    .join('');
  return {
    'content-security-policy': contentSecurityPolicy(frames),
    ...common,
    ...(secure ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  };
}
