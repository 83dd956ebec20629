import { defineErrors } from '../define/error.ts';

/** Spec, section 8, "Account and channel". */
export const channelErrors = defineErrors('channel', {
  companyRegistered: {
    status: 409,
    en_US: 'The company is already registered.',
    zh_CN: '该公司已注册。',
    ko: '이미 등록된 회사입니다.',
    pt_BR: 'A empresa já está registrada.',
  },
  companyMissing: {
    status: 404,
    en_US: 'The company does not exist. Get a new code.',
    zh_CN: '公司不存在，请重新获取验证码。',
    ko: '회사가 없습니다. 코드를 다시 받으세요.',
    pt_BR: 'A empresa não existe. Obtenha um novo código.',
  },
  duplicateLogin: {
    status: 409,
    en_US: 'The email or username is already in use.',
    zh_CN: '邮箱或用户名重复。',
    ko: '이메일 또는 사용자 이름이 이미 사용 중입니다.',
    pt_BR: 'O e-mail ou o nome de usuário já está em uso.',
  },
  duplicateAccount: {
    status: 409,
    en_US: 'This account already exists.',
    zh_CN: '账号重复。',
    ko: '이미 있는 계정입니다.',
    pt_BR: 'Esta conta já existe.',
  },
  alreadySub: {
    status: 409,
    en_US: 'The channel is already your sub-channel.',
    zh_CN: '该渠道已是您的下级渠道。',
    ko: '이미 귀하의 하위 채널입니다.',
    pt_BR: 'O canal já é seu subcanal.',
  },
  ownParent: {
    status: 400,
    en_US: 'A channel can’t be its own superior.',
    zh_CN: '渠道不能将自己设为上级。',
    ko: '채널을 자기 자신의 상위로 지정할 수 없습니다.',
    pt_BR: 'Um canal não pode ser superior a si mesmo.',
  },
  superiorAddressEmpty: {
    status: 400,
    en_US: 'The superior address can’t be empty.',
    zh_CN: '上级地址不能为空。',
    ko: '상위 주소를 입력하세요.',
    pt_BR: 'O endereço superior não pode ficar vazio.',
  },
});
