import type { Language, MailTemplate } from '@carillon/contracts';
import { mailTexts, type MailText } from './mail.text.ts';

export interface Rendered {
  subject: string;
  text: string;
  html: string;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text: string): string => text.replace(/[&<>"']/g, (c) => entities[c]!);
/** Fills placeholders once and never again, so that users' texts stay text (docs/attack-cases.md, C13). */
const fill = (text: string, data: Record<string, unknown>, as: (value: string) => string): string =>
  text.replace(/\{(\w+)\}/g, (whole, key: string) => (key in data ? as(String(data[key])) : whole));
const oneLine = (value: string): string => value.replace(/[\r\n]+/g, ' ');

/** Renders a mail as plain text and as HTML with the same content. Colours are those of the product theme. */
export function renderMail(template: MailTemplate, language: Language, data: Record<string, unknown>): Rendered {
  const words = mailTexts[template] as MailText;
  const { greeting, footer } = mailTexts.frame;
  const values = { ...data, ...words.values?.(data) };
  const say = (text: Record<Language, string>, as: (value: string) => string): string =>
    fill(text[language], values, as);
  const plain = (text: Record<Language, string>): string => say(text, oneLine);
  const lines = words.lines(data);
  const link = typeof data['link'] === 'string' ? data['link'] : undefined;
  const code = typeof data['code'] === 'string' ? data['code'] : undefined;
  const text = [
    plain(greeting),
    ...lines.map(plain),
    ...(code ? [code] : []),
    ...(link ? [link] : []),
    ...(words.after ?? []).map(plain),
    '--',
    plain(footer),
  ].join('\n\n');
  const paragraph = (inner: string): string => `<p style="margin:0 0 16px">${inner}</p>`;
  const html = `<!doctype html><html lang="${language.replace('_', '-')}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escape(plain(words.subject))}</title></head>
<body style="margin:0;padding:24px;background:#f4f2ee;color:#23211d;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<div style="max-width:560px;margin:0 auto;background:#fff;border:1px solid #dedad2;border-radius:8px;padding:32px">
${[greeting, ...lines].map((t) => paragraph(say(t, escape))).join('\n')}
${code ? `<p style="margin:0 0 16px;font:600 28px/1.2 ui-monospace,monospace;letter-spacing:.15em">${escape(code)}</p>` : ''}
${link && words.button ? `<p style="margin:24px 0"><a href="${escape(link)}" style="display:inline-block;background:#7a4b12;color:#fff;text-decoration:none;padding:12px 20px;border-radius:6px">${escape(plain(words.button))}</a></p>\n<p style="margin:0 0 16px;font-size:13px;color:#6b665c;word-break:break-all">${escape(link)}</p>` : ''}
${(words.after ?? []).map((t) => paragraph(say(t, escape))).join('\n')}
<p style="margin:24px 0 0;font-size:13px;color:#6b665c">${say(footer, escape)}</p>
</div></body></html>`;
  return { subject: plain(words.subject), text, html };
}
