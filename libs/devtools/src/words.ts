import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { codeFailures, documentFailures } from './english-rules.ts';

/**
 * Checks that each language uses one word for one thing: when some texts say `sign in` and others `log in`, readers
 * look for a difference. Covers the texts of the console, errors, mails and actions. Checks comments, test titles and
 * documents by `english-rules.ts`. Run: `node --conditions=carillon-source libs/devtools/src/words.ts`; exits 1 and
 * names each finding with the correct word.
 */
const instead: Readonly<Record<string, readonly (readonly [wrong: RegExp, right: string])[]>> = {
  en_US: [
    [/\blog(?:s|ged|ging)?[ -](?:in|out|on)\b/i, 'sign in, sign out'],
    [/\blogins?\b|\blogon\b/i, 'sign-in'],
    [/\buser name|login name/i, 'username'],
    [/\b(?:first|initial|one-time) password/i, 'temporary password'],
    [/\bmails?\b/i, 'email'],
    [/two-step (?:login|authentication)|second step of/i, 'two-step verification'],
    [/\brights?\b(?! kind| format)/i, 'permission'],
    [/\boperation log/i, 'activity log'],
    [/colour|cancelled/i, 'color, canceled'],
    [/\b(?:some|every)body\b/i, 'someone, everyone'],
    [/\bcannot\b/i, 'can’t'],
    [/\b(?:please|oops|successfully)\b/i, 'nothing'],
    [/'/, '’'],
  ],
  zh_CN: [
    [/登录名/, '用户名'],
    [/初始密码/, '临时密码'],
    [/新增/, '添加'],
    [/停用/, '禁用'],
    [/重发/, '重新发送'],
    [/撤消/, '撤销'],
    [/两步登录/, '两步验证'],
  ],
  ko: [
    [/로그인 이름|아이디/, '사용자 이름'],
    [/(?:초기|첫) 비밀번호/, '임시 비밀번호'],
    [/(?<!이)메일/, '이메일'],
    [/작업 기록|작업 로그/, '감사 로그'],
    [/2단계 로그인/, '2단계 인증'],
    [/비밀키/, '비밀 키'],
    [/세그먼트/, '네트워크'],
  ],
  pt_BR: [
    [/nome de acesso/i, 'nome de usuário'],
    [/senha inicial/i, 'senha temporária'],
    [/\bsites?\b/i, 'local, locais'],
    [/\bpap[eé]is?\b|\bpapel\b/i, 'função'],
    [/\bdireitos\b(?! autorais)/i, 'permissões'],
    [/registro de (?:operações|atividades)/i, 'log de atividades'],
    [/(?:login|autenticação) em duas etapas/i, 'verificação em duas etapas'],
  ],
};

interface Said {
  file: string;
  language: string;
  text: string;
}
const languages = Object.keys(instead).join('|');
const literal = String.raw`'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"`;
/** A language with its text, or with one text per plural form. */
const texts = new RegExp(
  String.raw`\b(${languages}):\s*(?:\{\s*)?((?:(?:(?:zero|one|two|few|many|other):\s*)?(?:${literal}),?\s*)+)`,
  'g',
);

function saidIn(file: string): Said[] {
  const source = readFileSync(file, 'utf8');
  const language = new RegExp(`/(${languages})\\.json$`).exec(file)?.[1];
  if (language !== undefined)
    return Object.values(JSON.parse(source) as Record<string, string>).map((text) => ({ file, language, text }));
  return [...source.matchAll(texts)].flatMap((m) =>
    [...m[2]!.matchAll(new RegExp(literal, 'g'))].map((text) => ({
      file,
      language: m[1]!,
      text: text[0].slice(1, -1),
    })),
  );
}

const filesOf = (...patterns: string[]): string[] =>
  execFileSync('git', ['ls-files', ...patterns], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && existsSync(file));

const files = filesOf('*.text.ts', '*.errors.ts', '*.noun.ts', 'apps/console/src/kit/text/*.json');
const said = files.flatMap(saidIn);
const faults = said.flatMap(({ file, language, text }) =>
  instead[language]!.flatMap(([wrong, right]) => {
    const found = wrong.exec(text.replaceAll(/\{+\w+\}+/g, ''))?.[0];
    return found === undefined ? [] : [`${file}: ${language}: "${found}" is ${right} here: ${text.slice(0, 80)}`];
  }),
);
const sources = filesOf('*.ts', '*.tsx', ':!*.gen.ts');
for (const file of sources) faults.push(...codeFailures(file, readFileSync(file, 'utf8')));
/** docs/requirements.md quotes the description of the product. */
const documents = filesOf('*.md', ':!docs/requirements.md');
for (const file of documents) faults.push(...documentFailures(file, readFileSync(file, 'utf8')));
if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exit(1);
}
console.log(`words: ${said.length} texts in ${files.length} files, ${sources.length + documents.length} files read`);
