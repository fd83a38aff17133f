/**
 * The most common words of other languages with their English equivalents, written as `wordsOf`
 * returns them: in lower case, without accents. Arabic words include their article where it is usual.
 */
export const WORLD_WORDS: Readonly<Record<string, string>> = {
  night: 'ليل ليلا الليل ليلة رات noche nuit nacht ночь ночью ночнои ночном νυχτα gece',
  dawn: 'فجر الفجر شروق صباح الصباح صبح amanecer aube morgen рассвет рассвете утро утром αυγη safak',
  dusk: 'غروب الغروب مساء شام atardecer crepuscule abend закат закате вечер вечером δειλινο aksam',
  day: 'نهار dia jour am-tag день днем ημερα gunduz',
  rain: 'مطر المطر ممطرة بارش lluvia pluie regen дождь дождя дождем βροχη yagmur',
  snow: 'ثلج الثلج برف nieve neige schnee снег снегу снежные χιονι kar',
  fog: 'ضباب الضباب niebla brouillard nebel туман тумане ομιχλη sis',
  storm: 'عاصفة العاصفة طوفان tormenta tempete sturm буря шторм καταιγιδα firtina',
  sea: 'بحر البحر سمندر mar mer meer море моря океан θαλασσα deniz playa plage',
  lake: 'بحيرة نهر النهر lago lac rio riviere am-see im-see der-see dem-see den-see einem-see bergsee fluss озеро озера река λιμνη gol nehir',
  mountain:
    'جبل جبال الجبال الجبل پہاڑ montana montanas montagne berg berge гора горы гор горах βουνο dag',
  forest: 'غابة الغابة جنگل bosque foret wald лес леса лесу δασος orman',
  field:
    'حقل مرج حديقة الحديقة campo sabana un-champ le-champ champs feld поле λιβαδι tarla jardin garten сад',
  desert: 'صحراء الصحراء desierto wuste пустыня пустыне ερημος',
  city: 'مدينة المدينة شهر ciudad ville stadt город города городе πολη sehir',
  street: 'شارع الشارع سوق calle rue strasse улица улице улицы δρομος sokak',
  room: 'غرفة بيت habitacion cuarto chambre zimmer комната комнате δωματιο oda',
  space: 'فضاء الفضاء espacio espace weltraum космос космосе διαστημα uzay',
  boat: 'قارب القارب مركب زورق کشتی barco bateau ein-boot das-boot dem-boot kleines-boot segelboot лодка лодки лодке βαρκα tekne',
  ship: 'سفينة buque navire schiff корабль корабли πλοιο gemi',
  car: 'سيارة coche voiture auto машина автомобиль αυτοκινητο araba',
  tree: 'شجرة اشجار الاشجار درخت arbol arbre baum дерево деревья δεντρο agac',
  flower: 'زهرة زهور ورد پھول flor flores fleur blume цветок цветы λουλουδι cicek',
  bird: 'طائر طيور الطيور پرندہ pajaro oiseau vogel птица птицы πουλι kus',
  cat: 'قطة القطة بلی gato gata un-chat le-chat petit-chat un-chat-noir katze кот кошка γατα kedi',
  dog: 'كلب کتا perro chien hund собака пес σκυλος kopek',
  fox: 'ثعلب الثعلب لومڑی zorro renard fuchs лиса лисица αλεπου tilki',
  horse: 'حصان خيول caballo cheval pferd лошадь конь αλογο',
  person:
    'رجل امراة طفل بنت ولد hombre mujer nino nina homme femme enfant mann frau ein-kind das-kind kinder человек мужчина женщина девочка мальчик ανθρωπος adam kadin',
  house: 'منزل كوخ casa maison haus дом домик σπιτι ev',
  star: 'نجوم النجوم نجمة estrella estrellas etoile etoiles stern sterne звезды звезда αστερι yildiz',
  moon: 'قمر القمر luna lune mond луна луны φεγγαρι ay',
  fire: 'نار النار fuego feu feuer огонь костер φωτια ates',
  balloon: 'بالون globo ballon шар μπαλονι',
  rocket: 'صاروخ cohete fusee rakete ракета πυραυλος roket',
  lantern: 'فانوس فوانيس linterna lanterne laterne фонарь фонари φαναρι fener',
  fish: 'سمكة اسماك pez peces poisson fisch рыба рыбы ψαρι balik',
  happy: 'سعيد فرح feliz alegre joyeux glucklich радостныи веселыи χαρουμενο mutlu',
  sad: 'حزين وحيد triste traurig грустныи одинокии λυπημενο uzgun',
}
