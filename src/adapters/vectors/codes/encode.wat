;; Rotates a vector, and rounds its numbers to levels. rotation.ts and chunk-code.ts say what for;
;; encode-kernel.ts has the addresses.
(module
  ;; 1,536 numbers, the signs of the three rounds (1,536 each), the planes, and the sums.
  (memory (export "memory") 1)

  (func (export "rotate")
    (local $signs i32) (local $at i32) (local $start i32) (local $end i32) (local $step i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $e v128) (local $f v128)
    (local.set $signs (i32.const 6144))
    (loop $rounds
      ;; The signs, and the Walsh-Hadamard transform of numbers that are 1 and 2 apart.
      (local.set $at (i32.const 0))
      (loop $numbers
        (local.set $a (f32x4.mul
          (v128.load (local.get $at))
          (v128.load (i32.add (local.get $signs) (local.get $at)))))
        (local.set $a (f32x4.add
          (i8x16.shuffle 0 1 2 3 0 1 2 3 8 9 10 11 8 9 10 11 (local.get $a) (local.get $a))
          (v128.xor
            (i8x16.shuffle 4 5 6 7 4 5 6 7 12 13 14 15 12 13 14 15 (local.get $a) (local.get $a))
            (v128.const i32x4 0 0x80000000 0 0x80000000))))
        (v128.store (local.get $at) (f32x4.add
          (i8x16.shuffle 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 (local.get $a) (local.get $a))
          (v128.xor
            (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $a) (local.get $a))
            (v128.const i32x4 0 0 0x80000000 0x80000000))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br_if $numbers (i32.lt_u (local.get $at) (i32.const 6144))))

      ;; Of numbers that are 4 and 8 apart, then 16 and 32, then 64 and 128; steps count bytes.
      (local.set $step (i32.const 16))
      (loop $steps
        (local.set $start (i32.const 0))
        (loop $groups
          (local.set $at (local.get $start))
          (local.set $end (i32.add (local.get $start) (local.get $step)))
          (loop $fours
            (local.set $a (v128.load (local.get $at)))
            (local.set $b (v128.load (i32.add (local.get $at) (local.get $step))))
            (local.set $c (v128.load (i32.add (local.get $at) (i32.shl (local.get $step) (i32.const 1)))))
            (local.set $d (v128.load (i32.add (local.get $at) (i32.mul (local.get $step) (i32.const 3)))))
            (local.set $e (f32x4.add (local.get $a) (local.get $b)))
            (local.set $f (f32x4.sub (local.get $a) (local.get $b)))
            (local.set $a (f32x4.add (local.get $c) (local.get $d)))
            (local.set $b (f32x4.sub (local.get $c) (local.get $d)))
            (v128.store (local.get $at) (f32x4.add (local.get $e) (local.get $a)))
            (v128.store (i32.add (local.get $at) (local.get $step))
              (f32x4.add (local.get $f) (local.get $b)))
            (v128.store (i32.add (local.get $at) (i32.shl (local.get $step) (i32.const 1)))
              (f32x4.sub (local.get $e) (local.get $a)))
            (v128.store (i32.add (local.get $at) (i32.mul (local.get $step) (i32.const 3)))
              (f32x4.sub (local.get $f) (local.get $b)))
            (local.set $at (i32.add (local.get $at) (i32.const 16)))
            (br_if $fours (i32.lt_u (local.get $at) (local.get $end))))
          (local.set $start (i32.add (local.get $start) (i32.shl (local.get $step) (i32.const 2))))
          (br_if $groups (i32.lt_u (local.get $start) (i32.const 6144))))
        (local.set $step (i32.shl (local.get $step) (i32.const 2)))
        (br_if $steps (i32.lt_u (local.get $step) (i32.const 1024))))

      ;; Of numbers that are 256 apart, which ends the transform of the three blocks. Then each block
      ;; is distributed over all three by a reflection, which is orthogonal.
      (local.set $at (i32.const 0))
      (loop $thirds
        (local.set $a (f32x4.add (v128.load (local.get $at)) (v128.load offset=1024 (local.get $at))))
        (local.set $b (f32x4.add (v128.load offset=2048 (local.get $at)) (v128.load offset=3072 (local.get $at))))
        (local.set $c (f32x4.add (v128.load offset=4096 (local.get $at)) (v128.load offset=5120 (local.get $at))))
        (local.set $d (f32x4.sub (v128.load (local.get $at)) (v128.load offset=1024 (local.get $at))))
        (local.set $e (f32x4.sub (v128.load offset=2048 (local.get $at)) (v128.load offset=3072 (local.get $at))))
        (local.set $f (f32x4.sub (v128.load offset=4096 (local.get $at)) (v128.load offset=5120 (local.get $at))))
        (call $reflect (local.get $at) (local.get $a) (local.get $b) (local.get $c))
        (call $reflect (i32.add (local.get $at) (i32.const 1024)) (local.get $d) (local.get $e) (local.get $f))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br_if $thirds (i32.lt_u (local.get $at) (i32.const 1024))))

      (local.set $signs (i32.add (local.get $signs) (i32.const 6144)))
      (br_if $rounds (i32.lt_u (local.get $signs) (i32.const 24576)))))

  (func $reflect (param $at i32) (param $a v128) (param $b v128) (param $c v128)
    (local $shift v128)
    (local.set $shift (f32x4.mul
      (f32x4.add (f32x4.add (local.get $a) (local.get $b)) (local.get $c))
      (v128.const f32x4 0x1.555556p-1 0x1.555556p-1 0x1.555556p-1 0x1.555556p-1)))
    (v128.store (local.get $at) (f32x4.sub (local.get $a) (local.get $shift)))
    (v128.store offset=2048 (local.get $at) (f32x4.sub (local.get $b) (local.get $shift)))
    (v128.store offset=4096 (local.get $at) (f32x4.sub (local.get $c) (local.get $shift))))

  ;; Replaces the numbers by their levels, 0 to 15, and writes their bit planes and the five sums
  ;; that chunk-code.ts makes factors of, four parts of each.
  (func (export "round")
    (param $scale f32) ;; turns a number into steps between levels
    (local $at i32) (local $plane i32) (local $number v128) (local $low v128) (local $rounded v128)
    (local $product v128) (local $squares v128) (local $absolute v128)
    (local $upperProduct v128) (local $upperSquares v128)
    (loop $numbers
      (local.set $number (v128.load (local.get $at)))
      ;; The lower bound of the level, -8 to 7 steps. Its middle is rounded to, in half steps.
      (local.set $low (f32x4.pmax (v128.const f32x4 -8 -8 -8 -8)
        (f32x4.pmin (v128.const f32x4 7 7 7 7)
          (f32x4.floor (f32x4.mul (local.get $number) (f32x4.splat (local.get $scale)))))))
      (local.set $rounded (call $middle (local.get $low)))
      (local.set $product (f32x4.add (local.get $product) (f32x4.mul (local.get $rounded) (local.get $number))))
      (local.set $squares (f32x4.add (local.get $squares) (f32x4.mul (local.get $rounded) (local.get $rounded))))
      (local.set $absolute (f32x4.add (local.get $absolute) (f32x4.abs (local.get $number))))
      ;; The same for the upper two bits of the level, in halves of four steps.
      (local.set $rounded (call $middle (f32x4.floor
        (f32x4.mul (local.get $low) (v128.const f32x4 0.25 0.25 0.25 0.25)))))
      (local.set $upperProduct (f32x4.add (local.get $upperProduct) (f32x4.mul (local.get $rounded) (local.get $number))))
      (local.set $upperSquares (f32x4.add (local.get $upperSquares) (f32x4.mul (local.get $rounded) (local.get $rounded))))
      (v128.store (local.get $at) (i32x4.add
        (i32x4.trunc_sat_f32x4_s (local.get $low)) (v128.const i32x4 8 8 8 8)))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br_if $numbers (i32.lt_u (local.get $at) (i32.const 6144))))
    (v128.store offset=25344 (i32.const 0) (local.get $product))
    (v128.store offset=25360 (i32.const 0) (local.get $squares))
    (v128.store offset=25376 (i32.const 0) (local.get $upperProduct))
    (v128.store offset=25392 (i32.const 0) (local.get $upperSquares))
    (v128.store offset=25408 (i32.const 0) (local.get $absolute))

    ;; Sixteen levels are two bytes of each plane. The first level is the highest bit of its byte.
    (local.set $at (i32.const 0))
    (loop $sixteens
      (local.set $low (i8x16.narrow_i16x8_u
        (i16x8.narrow_i32x4_s (v128.load (local.get $at)) (v128.load offset=16 (local.get $at)))
        (i16x8.narrow_i32x4_s (v128.load offset=32 (local.get $at)) (v128.load offset=48 (local.get $at)))))
      (local.set $low
        (i8x16.shuffle 7 6 5 4 3 2 1 0 15 14 13 12 11 10 9 8 (local.get $low) (local.get $low)))
      (i32.store16 offset=24576 (local.get $plane)
        (i8x16.bitmask (i16x8.shl (local.get $low) (i32.const 4))))
      (i32.store16 offset=24768 (local.get $plane)
        (i8x16.bitmask (i16x8.shl (local.get $low) (i32.const 5))))
      (i32.store16 offset=24960 (local.get $plane)
        (i8x16.bitmask (i16x8.shl (local.get $low) (i32.const 6))))
      (i32.store16 offset=25152 (local.get $plane)
        (i8x16.bitmask (i16x8.shl (local.get $low) (i32.const 7))))
      (local.set $plane (i32.add (local.get $plane) (i32.const 2)))
      (local.set $at (i32.add (local.get $at) (i32.const 64)))
      (br_if $sixteens (i32.lt_u (local.get $at) (i32.const 6144)))))

  (func $middle (param $low v128) (result v128)
    (f32x4.add (f32x4.add (local.get $low) (local.get $low)) (v128.const f32x4 1 1 1 1))))
