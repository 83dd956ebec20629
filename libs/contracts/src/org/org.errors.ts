import { defineErrors } from '../define/error.ts';

export const companyErrors = defineErrors('org', {
  companyNameTaken: {
    status: 409,
    en_US: 'The company name cannot be repeated.',
    zh_CN: '公司名称不能重复。',
    ko: '회사 이름은 중복될 수 없습니다.',
    pt_BR: 'O nome da empresa não pode se repetir.',
    help: ['A company of this name exists on this installation.', 'Choose another name.'],
  },
});
