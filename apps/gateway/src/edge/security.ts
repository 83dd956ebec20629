import { hostPattern } from '@carillon/contracts';

/**
 * On every answer (docs/attack-cases.md, E10). No inline script anywhere; style elements only from files, style
 * attributes are the console's computed widths and colours. `data:` and `blob:` pictures are avatars and previews.
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
 * No page is shown in a frame but of a host that the operator allows, whoever asks for it (SYS-10,
 * docs/attack-cases.md, E1). What is no host would be a word of the policy.
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
