/**
 * On every answer (reliability-security E10). No inline script anywhere; style elements only from files, style
 * attributes are the console's computed widths and colours. `data:` and `blob:` pictures are avatars and previews.
 */
const contentSecurityPolicy = [
  "default-src 'none'", "script-src 'self'", "style-src 'self'", "style-src-attr 'unsafe-inline'", "img-src 'self' data: blob:", "font-src 'self'", "connect-src 'self'",
  "manifest-src 'self'", "worker-src 'self'", "frame-src 'self' https: http:", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'", "object-src 'none'",
].join('; ');

const common: Record<string, string> = {
  'content-security-policy': contentSecurityPolicy, 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin', 'cross-origin-resource-policy': 'same-origin', 'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
};

export function securityHeaders(secure: boolean): Record<string, string> {
  return secure ? { ...common, 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : common;
}
