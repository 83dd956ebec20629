import { defineErrors } from '../define/error.ts';

export const companyKeyErrors = defineErrors('companyKey', {
  narrowed: {
    status: 403,
    en_US: 'The keys belong to the whole company. Only users who see all organizations can change them.',
    zh_CN: '密钥属于整个公司：只有可查看全部组织的用户才能更改。',
    ko: '키는 회사 전체에 속합니다. 모든 조직을 볼 수 있는 사용자만 변경할 수 있습니다.',
    pt_BR: 'As chaves pertencem a toda a empresa. Só quem vê todas as organizações pode trocá-las.',
    help: [
      'The caller sees some organizations only, and a key is that of the secrets of all of them.',
      'Ask someone who sees all organizations.',
    ],
  },
  none: {
    status: 409,
    en_US: 'Nothing is encrypted yet, so there is no key to change.',
    zh_CN: '尚无加密内容，因此没有可更换的密钥。',
    ko: '아직 암호화된 내용이 없어 변경할 키가 없습니다.',
    pt_BR: 'Nada foi criptografado ainda, então não há chave para trocar.',
    help: [
      'The company has stored no secret of this kind; its key is made with the first one.',
      'Nothing has to be done.',
    ],
  },
});
