import { defineTexts } from '../../../kit/text/define.ts';

export const rawSettingTexts = defineTexts({
  'rawSetting.title': { en_US: 'Raw settings', zh_CN: '原始设置', ko: '원시 설정', pt_BR: 'Ajustes brutos' },
  'rawSetting.one': { en_US: 'Raw setting', zh_CN: '原始设置', ko: '원시 설정', pt_BR: 'Ajuste bruto' },
  'rawSetting.hint': {
    en_US:
      'For what the list above lacks, by the name in the maker’s own files. Only phones of this maker get it. Everyone who may read templates sees the value, so passwords are refused.',
    zh_CN:
      '用于上方列表没有的设置，名称与厂商自身的文件一致。只有该厂商的话机会获得。所有可读取模板的人都能看到其值，因此不接受密码。',
    ko: '위 목록에 없는 설정을 제조사 파일의 이름으로 지정합니다. 이 제조사의 전화기에만 적용됩니다. 템플릿을 읽을 수 있는 모든 사람이 값을 볼 수 있으므로 비밀번호는 허용되지 않습니다.',
    pt_BR:
      'Para o que falta na lista acima, pelo nome nos arquivos do próprio fabricante. Só os telefones deste fabricante o recebem. Todos que podem ler modelos veem o valor; por isso, senhas são recusadas.',
  },
  'rawSetting.add': {
    en_US: 'Add raw setting',
    zh_CN: '添加原始设置',
    ko: '원시 설정 추가',
    pt_BR: 'Adicionar ajuste bruto',
  },
  'rawSetting.maker': { en_US: 'Maker', zh_CN: '厂商', ko: '제조사', pt_BR: 'Fabricante' },
  'rawSetting.name': {
    en_US: 'Name in the maker’s files',
    zh_CN: '厂商文件中的名称',
    ko: '제조사 파일의 이름',
    pt_BR: 'Nome nos arquivos do fabricante',
  },
  'rawSetting.value': { en_US: 'Value', zh_CN: '值', ko: '값', pt_BR: 'Valor' },
  'rawSetting.wrong': {
    en_US: 'Check the raw settings.',
    zh_CN: '请检查原始设置。',
    ko: '원시 설정을 확인하세요.',
    pt_BR: 'Confira os ajustes brutos.',
  },
  'rawSetting.wrong.name': {
    en_US: 'Enter a name of the form {{example}}.',
    zh_CN: '请输入类似 {{example}} 的名称。',
    ko: '{{example}} 형식의 이름을 입력하세요.',
    pt_BR: 'Digite um nome na forma {{example}}.',
  },
  'rawSetting.wrong.secret': {
    en_US: 'This is a password or a key, which a template would show to everyone who may read it.',
    zh_CN: '这是密码或密钥，所有可读取该模板的人都会看到。',
    ko: '비밀번호나 키이며, 템플릿을 읽을 수 있는 모든 사람에게 보이게 됩니다.',
    pt_BR: 'Isto é uma senha ou uma chave, que o modelo mostraria a todos que podem lê-lo.',
  },
  'rawSetting.wrong.twice': {
    en_US: 'This setting is there twice.',
    zh_CN: '此设置重复。',
    ko: '이 설정이 중복되었습니다.',
    pt_BR: 'Este ajuste aparece duas vezes.',
  },
});
