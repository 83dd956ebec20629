import { defineErrors } from '../define/error.ts';

/** Spec, section 8, "Data": values that must be unique at a door. */
export const egsErrors = defineErrors('egs', {
  cardTaken: {
    status: 409,
    en_US: 'A card with this ID already exists.',
    zh_CN: '卡号重复。',
    ko: '같은 ID의 카드가 있습니다.',
    pt_BR: 'Já existe um cartão com este ID.',
  },
  nameTaken: {
    status: 409,
    en_US: 'This name is already in use.',
    zh_CN: '名称重复。',
    ko: '이미 사용 중인 이름입니다.',
    pt_BR: 'Este nome já está em uso.',
  },
  passwordTaken: {
    status: 409,
    en_US: 'This password is already in use.',
    zh_CN: '密码重复。',
    ko: '이미 사용 중인 비밀번호입니다.',
    pt_BR: 'Esta senha já está em uso.',
  },
  groupTaken: {
    status: 409,
    en_US: 'A group with this name already exists.',
    zh_CN: '分组重复。',
    ko: '같은 이름의 그룹이 있습니다.',
    pt_BR: 'Já existe um grupo com este nome.',
  },
});
