/**
 * On every answer (reliability-security E10). No inline script anywhere; style elements only from files, style
 * attributes are the console's computed widths and colours. `data:` and `blob:` pictures are avatars and previews.
 */
const contentSecurityPolicy = (frames: string) => [
  "default-src 'none'", "script-src 'self'", "style-src 'self'", "style-src-attr 'unsafe-inline'", "img-src 'self' data: blob:", "font-src 'self'", "connect-src 'self'",
  "manifest-src 'self'", "worker-src 'self'", `frame-src 'self' ${frames}`, "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'", "object-src 'none'",
].join('; ');

const common: Record<string, string> = {
  'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin', 'cross-origin-resource-policy': 'same-origin', 'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
};

/** Once the operator names hosts, no page of another one is shown in a frame, whoever asks for it (SYS-10). */
export function securityHeaders(secure: boolean, frameHosts: readonly string[] = []): Record<string, string> {
  const frames = frameHosts.length === 0 ? 'https: http:' : frameHosts.flatMap((host) => [`https://${host}`, `http://${host}`]).join(' ');
  return { 'content-security-policy': contentSecurityPolicy(frames), ...common, ...(secure ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}) };
}
